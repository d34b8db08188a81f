package reach

import (
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// conflict says why nobody fits two properties; empty when somebody may.
func conflict(a, b property) string {
	if a.of != b.of || a.groupType != b.groupType {
		return ""
	}
	switch {
	case a.of == cohort:
		id := jsonvalue.String(a.value)
		if id != "" && id == jsonvalue.String(b.value) && (a.operator+" "+b.operator == "in not_in" || a.operator+" "+b.operator == "not_in in") {
			return fmt.Sprintf("nobody is in cohort %s and outside it", id)
		}
		return ""
	case a.key != b.key:
		return ""
	case a.of == flag:
		if flagValuesExclude(a, b) || flagValuesExclude(b, a) {
			return fmt.Sprintf("flag %s cannot be %s and %s at once", a.key, valueText(a.value), valueText(b.value))
		}
	case excludes(a, b) || excludes(b, a):
		return fmt.Sprintf("%q cannot be %s and %s at once", a.key, a, b)
	}
	return ""
}

// flagValuesExclude reports whether no flag has both values. A flag with a variant is on.
func flagValuesExclude(a, b property) bool {
	if a.operator != "flag_evaluates_to" || b.operator != "flag_evaluates_to" {
		return false
	}
	variant, isVariant := a.value.(string)
	other, isOther := b.value.(string)
	switch {
	case isVariant && isOther:
		return variant != other
	case b.value == false:
		return isVariant || a.value == true
	}
	return false
}

// excludes reports whether it is certain that no value fits both properties, in this order.
func excludes(a, b property) bool {
	if b.operator == "is_not_set" && a.needsValue() {
		return true
	}
	if a.value == nil || b.value == nil {
		return false
	}
	switch {
	case a.operator == "exact" && b.operator == "exact":
		return exactExcludesExact(a.value, b.value)
	case a.operator == "exact" && b.operator == "is_not":
		return exactExcludesIsNot(a.value, b.value)
	case a.operator == "exact" && b.operator == "icontains":
		return exactExcludesPart(a.value, b.value)
	case a.operator == "exact":
		return exactExcludesRange(a.value, b)
	}
	return rangesExclude(a, b) || datesExclude(a, b)
}

// exactExcludesExact: a value equals true when it is as true as that, so a boolean excludes
// its opposite alone.
func exactExcludesExact(a, b any) bool {
	if x, ok := switchOf(a); ok {
		y, ok := switchOf(b)
		return ok && x != y
	}
	listA, okA := scalars(a)
	listB, okB := scalars(b)
	if !okA || !okB {
		return false
	}
	return !anyOf(listA, func(x any) bool { return anyOf(listB, func(y any) bool { return mayEqual(x, y) }) })
}

func exactExcludesIsNot(a, b any) bool {
	if jsonvalue.Identical(a, b) {
		return true
	}
	listA, okA := scalars(a)
	listB, okB := scalars(b)
	if !okA || !okB {
		return false
	}
	return !anyOf(listA, func(x any) bool { return !anyOf(listB, func(y any) bool { return areEqual(x, y) }) })
}

func exactExcludesPart(a, part any) bool {
	list, ok := scalars(a)
	wanted, isText := part.(string)
	if !ok || !isText || !isASCII(wanted) {
		return false
	}
	return !anyOf(list, func(x any) bool {
		text, isText := x.(string)
		return !isText || !isASCII(text) || strings.Contains(strings.ToLower(text), strings.ToLower(wanted))
	})
}
