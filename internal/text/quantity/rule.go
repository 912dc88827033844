package quantity

import (
	"fmt"
	"math"
	"strings"
)

// Resource says why Kubernetes refuses a request or limit of a resource, such as
// cpu. Memory in thousandths of a byte it would take, but nobody means it.
func Resource(name, text string) error {
	q, err := Parse(text)
	switch {
	case err != nil:
		return err
	case q.Sign() < 0:
		return fmt.Errorf("%q is negative, which Kubernetes refuses: requests and limits are 0 or more", text)
	case name == "memory" && q.unit == units["m"] && q.Float64() > 0 && q.Float64() < 1<<20:
		number := strings.TrimSuffix(text, "m")
		return fmt.Errorf("%q is thousandths of a byte: write %sMi or %sM", text, number, number)
	case strings.Contains(name, "/") && !strings.Contains(name, "kubernetes.io/") && !q.isWhole():
		return fmt.Errorf("%q of %s isn't a whole number, as devices need", text, name)
	}
	return nil
}

// isWhole needs no large numbers: programs that define pipelines don't link them.
func (q Quantity) isWhole() bool {
	if n, scale, ok := q.small(); ok {
		return scaledSmall(n, scale, -3)%1000 == 0
	}
	f := q.Float64()
	return f == math.Trunc(f)
}

// Limit says the same of a limit of a folder.
func Limit(text string) error { return Resource("", text) }

// Size says why Kubernetes refuses the size of a claim or a volume.
func Size(text string) error {
	q, err := Parse(text)
	if err == nil && q.Sign() <= 0 {
		return fmt.Errorf("%q isn't the size of a volume, which is more than 0, such as 10Gi", text)
	}
	return err
}

// refusal says that a string isn't a quantity, and what is.
func refusal(text string) error {
	return fmt.Errorf("%q isn't a quantity of Kubernetes: write %s", text, meant(text))
}

// meant returns what a string may be meant to be: units have no B, k is a small
// letter and the others are large ones, and there are no spaces or commas.
func meant(text string) string {
	plain := strings.ReplaceAll(strings.Join(strings.Fields(text), ""), ",", ".")
	if _, ok := parse(plain); ok {
		return plain
	}
	number := strings.TrimRightFunc(plain, func(r rune) bool { return r > '9' })
	word := strings.ToLower(plain[len(number):])
	letter := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(word, "b"), "i"), "b")
	large := strings.ToUpper(letter)
	tries := []string{number + strings.Replace(large, "K", "k", 1), number + large + "i"}
	if strings.HasPrefix(strings.TrimPrefix(word, letter), "i") || letter == "" {
		tries = tries[1:]
	}
	if letter == "" {
		tries = []string{number}
	}
	var found []string
	for _, t := range tries {
		if q, ok := parse(t); ok && number != "" && !q.negative {
			found = append(found, t)
		}
	}
	if found == nil {
		return "a number and a unit, such as 500m, 2, 16M or 16Mi"
	}
	return strings.Join(found, " or ")
}
