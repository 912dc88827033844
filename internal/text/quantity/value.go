package quantity

import (
	"math"
	"math/big"
	"strconv"
)

// Value returns the quantity as a whole number, rounded up as Kubernetes does. What
// is more than an int64 holds is the largest one with a unit such as Gi, and else
// whatever Kubernetes makes of it; compare with [Quantity.Rat] where that matters.
func (q Quantity) Value() int64 {
	if n, scale, ok := q.small(); ok {
		return scaledSmall(n, scale, 0)
	}
	return q.scaledLarge()
}

// Float64 returns the quantity as Python's SDK of KFP calculates it.
func (q Quantity) Float64() float64 {
	n, _ := strconv.ParseFloat(q.whole+"."+q.frac, 64)
	if q.negative {
		n = -n
	}
	switch power := math.Pow(float64(q.base), math.Abs(float64(q.exp))); {
	case n == 0:
		return 0
	case q.exp < 0:
		return n / power
	default:
		return n * power
	}
}

// Rat returns the number that Kubernetes calculates with: it has at most nine
// decimal places.
func (q Quantity) Rat() *big.Rat {
	n, scale, ok := q.small()
	digits := big.NewInt(n)
	if !ok {
		var places int
		digits, places = q.large()
		scale = int32(-places)
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(min(max(scale, -scale), far))), nil)
	if scale < 0 {
		return new(big.Rat).SetFrac(digits, power)
	}
	return new(big.Rat).SetInt(digits.Mul(digits, power))
}

// far is an exponent beyond all that can be meant. A larger one makes no difference
// to a value that has 64 bits, and would take memory without end.
const far = 1000

// small returns the quantity as number and power of 10, if Kubernetes does: if both
// are small enough. It rounds negative numbers in other ways if they are not.
func (q Quantity) small() (n int64, scale int32, ok bool) {
	size, factor := len(q.whole)+len(q.frac), int64(1)
	switch {
	case q.base == 10:
		ok, scale = size <= 18, q.exp-int32(len(q.frac)) // which may overflow, as it does there
	case q.frac == "":
		ok, factor = size <= 14-int(q.exp)*3/10, 1<<q.exp
	}
	if !ok || scale < -9 {
		return 0, 0, false
	}
	n, err := strconv.ParseInt(q.whole+q.frac, 10, 64)
	if q.negative {
		n = -n
	}
	return n * factor, scale, err == nil
}

// large returns the digits of any quantity and how many of them are behind the dot:
// 9, rounded up, or none in the largest number.
func (q Quantity) large() (n *big.Int, places int) {
	n, _ = new(big.Int).SetString("0"+q.whole+q.frac, 10)
	places32 := int32(len(q.frac))
	if q.base == 10 {
		places32 -= q.exp
	} else {
		n.Lsh(n, uint(q.exp))
	}
	if n.Sign() == 0 {
		return n, 9
	}
	places = min(max(int(places32), -far), len(q.whole)+len(q.frac)+9)
	up := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(9-places, places-9))), nil)
	if places <= 9 {
		n.Mul(n, up)
	} else if _, rest := n.QuoRem(n, up, new(big.Int)); rest.Sign() != 0 {
		n.Add(n, big.NewInt(1))
	}
	places = 9
	largest := big.NewInt(math.MaxInt64)
	if q.base == 2 && n.Cmp(new(big.Int).Mul(largest, big.NewInt(1e9))) > 0 {
		n, places = largest, 0
	}
	if q.negative {
		n.Neg(n)
	}
	return n, places
}

func scaledSmall(n int64, scale, power int32) int64 {
	if scale < power {
		return awayFromZero(n, power-scale)
	}
	up := scale - power // which may overflow, as it does there
	switch up {
	case 1, 2, 3, 6, 9: // without a look at overflows
		return n * int64(math.Pow10(int(up)))
	}
	for ; up > 0 && n != 0; up-- {
		if n > math.MaxInt64/10 || n < -math.MaxInt64/10 {
			return 0
		}
		n *= 10
	}
	return n
}

// awayFromZero divides by a power of 10.
func awayFromZero(n int64, power int32) int64 {
	by := int64(math.Pow10(int(power)))
	whole := n / by
	switch rest := n % by; {
	case rest > 0:
		whole++
	case rest < 0:
		whole--
	}
	return whole
}

// scaledLarge does it for large numbers. Of those beyond 64 bits Kubernetes returns
// the lower ones.
func (q Quantity) scaledLarge() int64 {
	n, places := q.large()
	if places == 0 {
		return n.Int64()
	}
	by := int64(math.Pow10(places))
	if n.Cmp(big.NewInt(math.MaxInt64)) >= 0 {
		whole, rest := n.DivMod(n, big.NewInt(by), new(big.Int))
		if rest.Sign() != 0 {
			return whole.Int64() + 1
		}
		return whole.Int64()
	}
	whole := n.Int64() / by
	if n.Int64()%by != 0 {
		whole++
	}
	return whole
}
