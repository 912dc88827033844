package quantity_test

import (
	"errors"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/text/quantity"
	"k8s.io/apimachinery/pkg/api/resource"
)

// texts are seeds: each form, the borders between the ways in which Kubernetes
// calculates, and what people write that it refuses.
var texts = []string{
	"", "0", "-0", "+", "-", ".", "-.", "00", "000.000", "1", "+1", "-1", "--1", "1.", ".5", "1.5", "-1.5", "1.5.2", "1.5.2Gi", "1..5", "0x1", "1_000", "1,5",
	"500m", "-500m", "1500m", "0.1m", "0.5m", "1n", "1u", "-1n", "999n", "0.1n", "0.00000000001", "-0.00000000001", "1k", "1K", "16K", "4GB", "1GiB", "1gi", "1M", "1G", "1T", "1P", "1E",
	"9E", "10E", "12E", "100E", "-100E", "1Ki", "1.5Ki", "1Mi", "1.5Gi", "-1.5Gi", "0.1Gi", "1Ti", "99Ti", "100Ti", "1Pi", "1Ei", "7Ei", "8Ei", "9Ei", "-8Ei", "-9Ei", "0.0001Ki", "-0.0001Ki",
	"12345678901Ki", "123456789012Ki", "12345678Mi", "123456789Mi", "1e3", "1E3", "1e+3", "1e-3", "1.5e3", "1e", "1e+", "1e1.5", "e3", "e-9", "e-10", "E", "Ei", "Pi", "Ti", ".Ti", "Ki", "m", "K", "1e3k", "1ee3", "1EE",
	"1e18", "1e19", "-1e19", "1e-9", "1e-10", "-1e-10", "1e100", "-1e100", "1e2147483647", "2e2147483646", "1e2147483648", "1e4294967296", "1e4294967297", "1e-2147483648", "1.5e-2147483648", "1e9223372036854775808",
	"123456789012345678", "1234567890123456789", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "123456789.0123456789", "12345678901234567.89", "-12345678901234567.89",
	"1 ", " 1", "1 Gi", "1Gi\n", "much", "٣", "1\x80", "\xff", "1e٣", "128974848", "129e6", "129M", "128974848000m", "123Mi", "0.1", "9223372036854775807Ki", "000000000000000000000000001.5Gi",
}

// heavy are exponents with which Kubernetes' own parser takes memory without end,
// where the number has more digits than it calculates with.
var exponent = regexp.MustCompile(`[eE]([-+]?[0-9]+)$`)

func heavy(text string) bool {
	m := exponent.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return false
	}
	digits := strings.TrimLeft(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text[:len(text)-len(m[0])]), "0")
	e := int32(n)
	return (e > 5000 || e < -5000) && (len(digits) == 0 || len(digits) > 10 || e < -9)
}

// same compares a text with Kubernetes' own parser.
func same(t *testing.T, text string) {
	t.Helper()
	q, err := quantity.Parse(text)
	if heavy(text) {
		q.Value()
		q.Rat()
		return
	}
	k, kerr := resource.ParseQuantity(text)
	if (err == nil) != (kerr == nil) {
		t.Fatalf("%q: %v, and Kubernetes says %v", text, err, kerr)
	}
	if err != nil {
		return
	}
	if got, want := q.Value(), k.Value(); got != want {
		t.Errorf("%q: Value is %d, and Kubernetes' is %d", text, got, want)
	}
	// Of -1e-10 Kubernetes says that it is 1 thousandth; nothing here takes a negative one.
	if got := milli(q.Rat()); got.Sign() >= 0 && got.IsInt64() && got.Int64() != k.MilliValue() {
		t.Errorf("%q: it has %v thousandths, and Kubernetes says %d", text, got, k.MilliValue())
	}
	if got, want := q.Sign(), k.Sign(); got != want {
		t.Errorf("%q: Sign is %d, and Kubernetes' is %d", text, got, want)
	}
	if got := q.Rat().Sign(); got != k.Sign() {
		t.Errorf("%q: the sign of Rat is %d, and Kubernetes' is %d", text, got, k.Sign())
	}
	if got, want := q.Float64(), k.AsApproximateFloat64(); got > 1e-6 && got < 1e18 && (got < want*0.999 || got > want*1.001) {
		t.Errorf("%q: Float64 is %v, and Kubernetes has %v", text, got, want)
	}
	if err := quantity.Size(text); (err == nil) != (k.Sign() > 0) {
		t.Errorf("%q: as the size of a volume: %v", text, err)
	}
	if err := quantity.Limit(text); (err == nil) != (k.Sign() >= 0) {
		t.Errorf("%q: as a limit: %v", text, err)
	}
}

// milli returns the thousandths of a number, rounded up as Kubernetes does those that aren't negative.
func milli(r *big.Rat) *big.Int {
	n := new(big.Int).Mul(r.Num(), big.NewInt(1000))
	whole, rest := new(big.Int).QuoRem(n, r.Denom(), new(big.Int))
	return whole.Add(whole, big.NewInt(int64(rest.Sign())))
}

func TestAsKubernetes(t *testing.T) {
	for _, text := range texts {
		same(t, text)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 1000 {
			same(t, text)
		}
	})
}

// FuzzNumber puts texts together that are quantities more often.
func FuzzNumber(f *testing.F) {
	suffixes := []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "K", "e", "E3", "e-3"}
	f.Add(false, uint64(1), uint8(0), uint64(5), byte(12), int16(0))
	f.Add(true, uint64(1)<<63, uint8(3), uint64(0), byte(17), int16(-30))
	f.Fuzz(func(t *testing.T, negative bool, whole uint64, zeros uint8, frac uint64, suffix byte, exp int16) {
		text := strconv.FormatUint(whole, 10)
		if frac != 0 {
			text += "." + strings.Repeat("0", int(zeros%32)) + strconv.FormatUint(frac, 10)
		}
		if negative {
			text = "-" + text
		}
		if s := suffixes[int(suffix)%len(suffixes)]; s == "e" {
			text += s + strconv.Itoa(int(exp)%300)
		} else {
			text += s
		}
		same(t, text)
	})
}

// TestFar: exponents without end cost nothing.
func TestFar(t *testing.T) {
	for _, text := range []string{"1234567890123456789e2147483647", "-1234567890123456789e2147483647", "1234567890123456789e-2147483648", "0.0e-2000000000", "1.5e-2000000000", "0e2147483647", "1e2147483647"} {
		q, err := quantity.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		q.Value()
		q.Rat()
	}
}

// TestRefused has what people write, and what they are told.
func TestRefused(t *testing.T) {
	any := "isn't a quantity of Kubernetes: write "
	for _, c := range []struct{ resource, text, want string }{
		{"memory", "16K", `"16K" ` + any + "16k or 16Ki"},
		{"memory", "4GB", `"4GB" ` + any + "4G or 4Gi"},
		{"memory", "4GiB", any + "4Gi"},
		{"memory", "4gi", any + "4Gi"},
		{"memory", "4g", any + "4G or 4Gi"},
		{"memory", "64b", any + "64"},
		{"memory", " 1Gi", any + "1Gi"},
		{"memory", "1 Gi", any + "1Gi"},
		{"memory", "1,5Gi", any + "1.5Gi"},
		{"memory", "500 MB", any + "500M or 500Mi"},
		{"memory", "1.5.2Gi", any + "a number and a unit, such as 500m, 2, 16M or 16Mi"},
		{"memory", "", `"" ` + any + "a number and a unit"},
		{"cpu", "2 cores", any + "a number and a unit"},
		{"cpu", "-16K", any + "a number and a unit"},
		{"cpu", "-1", "is negative, which Kubernetes refuses: requests and limits are 0 or more"},
		{"memory", "512m", `"512m" is thousandths of a byte: write 512Mi or 512M`},
		{"memory", "128974848000m", ""},
		{"memory", "129e6", ""},
		{"cpu", "0", ""},
		{"nvidia.com/gpu", "0.5", `"0.5" of nvidia.com/gpu isn't a whole number`},
		{"nvidia.com/gpu", "1500m", "isn't a whole number"},
		{"nvidia.com/gpu", "2", ""},
	} {
		err := quantity.Resource(c.resource, c.text)
		if err == nil {
			err = errors.New("")
		}
		if got := err.Error(); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s %q: %q, want %q", c.resource, c.text, got, c.want)
		}
	}
}
