package evaluation

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// partitions are operators of which exactly one holds for values that can be compared.
var partitions = []string{
	"exact is_not", "icontains not_icontains", "starts_with not_starts_with", "ends_with not_ends_with",
	"icontains_multi not_icontains_multi", "regex not_regex", "gt lte", "lt gte", "between not_between",
	"semver_lt semver_eq semver_gt", "semver_lte semver_gt", "semver_gte semver_lt", "semver_eq semver_neq",
	"is_date_before is_date_exact is_date_after", "is_set is_not_set",
}

// Of operators that exclude each other at most one holds for any two values, and exactly
// one where the service can compare them: numbers with numbers, versions with versions.
func TestOperatorsExcludeEachOther(t *testing.T) {
	t.Parallel()
	versions := rapid.StringMatching(`v?[0-9]{1,2}(\.[0-9]{1,2}){0,2}(-[a-z0-9]{1,3}(\.[0-9]{1,2})?)?`)
	dates := rapid.StringMatching(`20[0-9]{2}-0[1-9]-[0-2][1-8]( 1[0-9]:[0-5][0-9])?|[0-9]{1,3}[hdwmy]`)
	likely := rapid.OneOf(versions, dates).AsAny()
	now := clock{testTime, time.UTC}

	rapid.Check(t, func(rt *rapid.T) {
		names := strings.Fields(rapid.SampledFrom(partitions).Draw(rt, "operators"))
		want, have := rapid.OneOf(likely, anyValue(2)).Draw(rt, "want"), rapid.OneOf(likely, anyValue(2)).Draw(rt, "have")
		person := &Person{Properties: rawjson.Fields{"k": rawjson.Encode(have)}}

		holding, undecided := 0, 0
		for _, name := range names {
			p := propertyOf(rawjson.Encode(map[string]any{"key": "k", "operator": name, "value": want}))
			switch o := p.match(person.bag(), false, now); {
			case !o.isDecided():
				undecided++
			case o.isMatch:
				holding++
			}
		}
		if holding > 1 || undecided != 0 && undecided != len(names) {
			rt.Fatalf("%v of %v and %v: %d hold, %d cannot be decided", names, have, want, holding, undecided)
		}
		if holding == 0 && undecided == 0 && areComparable(names[0], valueOf(rawjson.Encode(want)), valueOf(rawjson.Encode(have)), now) {
			rt.Fatalf("%v of %v and %v: none holds", names, have, want)
		}
	})
}

// areComparable reports whether one of a number of operators has to hold.
func areComparable(operator string, want, have value, now clock) bool {
	switch {
	case want.kind == nullKind:
		return operator == "is_set"
	case strings.HasPrefix(operator, "is_date"):
		_, okWant := now.parse(want.text)
		_, okHave := now.dateOf(have)
		return okWant && okHave && want.kind == textKind
	case strings.HasPrefix(operator, "semver"):
		_, ok := versionOf(have)
		return ok
	case strings.HasSuffix(operator, "between") || operator == "gt" || operator == "lt":
		n, _ := number(have)
		m, _ := number(want)
		return !math.IsNaN(n) && !math.IsNaN(m)
	}
	return true
}
