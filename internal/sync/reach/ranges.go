package reach

import "slices"

// rangesExclude reports whether no number is in the ranges of two properties.
func rangesExclude(a, b property) bool {
	if !slices.Contains([]string{"gt", "gte"}, a.operator) || !slices.Contains([]string{"lt", "lte"}, b.operator) {
		return false
	}
	low, okLow := numberOf(a.value)
	high, okHigh := numberOf(b.value)
	if !okLow || !okHigh {
		return false
	}
	return low > high || low == high && (a.operator == "gt" || b.operator == "lt")
}

// exactExcludesRange reports whether none of some values is a number in the range of a
// property.
func exactExcludesRange(a any, b property) bool {
	bound, isNumber := numberOf(b.value)
	list, ok := scalars(a)
	if !ok || !isNumber || !slices.Contains(numeric, b.operator) {
		return false
	}
	return !anyOf(list, func(value any) bool {
		number, isNumber := numberOf(value)
		return isNumber && isWithin(number, b.operator, bound)
	})
}

func isWithin(number float64, operator string, bound float64) bool {
	switch operator {
	case "gt":
		return number > bound
	case "gte":
		return number >= bound
	case "lt":
		return number < bound
	}
	return number <= bound
}
