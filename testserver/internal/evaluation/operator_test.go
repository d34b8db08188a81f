package evaluation

import (
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// comparison is what comes of an operator: yes, no, or ? where the service cannot decide.
// have is absent when the person does not have the property.
type comparison struct{ operator, want, have, outcome string }

const absent = "absent"

func compared(t *testing.T, c comparison, now clock) string {
	t.Helper()
	p := propertyOf(compact(t, `{"key":"k","type":"person","operator":"`+c.operator+`","value":`+c.want+`}`))
	fields := rawjson.Fields{}
	if c.have != absent {
		fields["k"] = compact(t, c.have)
	}

	switch o := p.match((&Person{Properties: fields}).bag(), false, now); {
	case !o.isDecided():
		return "?"
	case o.isMatch:
		return "yes"
	}
	return "no"
}

func checkComparisons(t *testing.T, list []comparison) {
	t.Helper()
	for _, c := range list {
		require.Equal(t, c.outcome, compared(t, c, clock{testTime, time.UTC}), "%+v", c)
	}
}

func TestEquality(t *testing.T) {
	t.Parallel()
	checkComparisons(t, []comparison{
		{"exact", `"Pro"`, `"pro"`, "yes"},
		{"exact", `"pro"`, `"free"`, "no"},
		{"exact", `"ÄRGER"`, `"ärger"`, "yes"},
		{"exact", `"5"`, `5`, "yes"},
		{"exact", `5`, `"5"`, "yes"},
		{"exact", `5`, `5.0`, "no"},
		{"exact", `"null"`, `null`, "yes"},
		{"exact", `["a","B"]`, `"b"`, "yes"},
		{"exact", `["a","b"]`, `"c"`, "no"},
		{"exact", `[]`, `"us"`, "no"},
		{"exact", `["1"]`, `1`, "yes"},
		{"exact", `"pro"`, absent, "no"},
		{"exact", `"true"`, `true`, "yes"},
		{"exact", `["True"]`, `"TRUE"`, "yes"},
		{"exact", `true`, `"yes"`, "no"},
		{"exact", `false`, `"yes"`, "yes"},
		{"exact", `"false"`, `null`, "yes"},
		{"exact", `"false"`, absent, "no"},
		{"exact", `["true","false"]`, `true`, "no"},
		{"exact", `null`, `null`, "no"},
		{"is_not", `"pro"`, `"PRO"`, "no"},
		{"is_not", `"pro"`, `"free"`, "yes"},
		{"is_not", `["a","b"]`, `"c"`, "yes"},
		{"is_not", `"pro"`, absent, "yes"},
		{"is_not", `null`, `"free"`, "no"},
		{"is_set", `null`, `null`, "yes"},
		{"is_set", `"is_set"`, absent, "no"},
		{"is_not_set", `"is_not_set"`, absent, "yes"},
		{"is_not_set", `"is_not_set"`, `false`, "no"},
	})
}

func TestContainment(t *testing.T) {
	t.Parallel()
	checkComparisons(t, []comparison{
		{"icontains", `"@EXAMPLE"`, `"a@example.com"`, "yes"},
		{"icontains", `"3"`, `323`, "yes"},
		{"icontains", `"É"`, `"é"`, "no"},
		{"icontains", `"x"`, absent, "no"},
		{"not_icontains", `"x"`, `"axb"`, "no"},
		{"not_icontains", `"x"`, absent, "yes"},
		{"icontains_multi", `["x","Y"]`, `"y"`, "yes"},
		{"icontains_multi", `[]`, `"y"`, "no"},
		{"icontains_multi", `"y"`, `"xyz"`, "yes"},
		{"icontains_multi", `["y"]`, absent, "no"},
		{"not_icontains_multi", `["x"]`, `"y"`, "yes"},
		{"not_icontains_multi", `["x"]`, absent, "yes"},
		{"starts_with", `"Admin@"`, `"admin@example.com"`, "yes"},
		{"not_starts_with", `"a"`, absent, "yes"},
		{"ends_with", `".COM"`, `"example.com"`, "yes"},
		{"not_ends_with", `".com"`, `"example.com"`, "no"},
	})
}

func TestPatterns(t *testing.T) {
	t.Parallel()
	checkComparisons(t, []comparison{
		{"regex", `"^a+$"`, `"aaa"`, "yes"},
		{"regex", `"^a$"`, `"a\n"`, "no"},
		{"regex", `"(?!x)^a$"`, `"a\n"`, "no"},
		{"regex", `"(?m)(?!x)^a$"`, `"a\nb"`, "yes"},
		{"regex", `"A"`, `"a"`, "no"},
		{"regex", `"(?i)A"`, `"a"`, "yes"},
		{"regex", `"^(?!.*test).*@example"`, `"a@example"`, "yes"},
		{"regex", `"^(?!.*test).*@example"`, `"test@example"`, "no"},
		{"regex", `"(?<=a)b"`, `"ab"`, "yes"},
		{"regex", `"(.)\\1"`, `"book"`, "yes"},
		{"regex", `"\\b(\\w+)\\s+\\1\\b"`, `"this is is it"`, "yes"},
		{"regex", `"^[\\w.+-]+@(?=.*\\.(com|org)$)[\\w.-]+$"`, `"user@example.com"`, "yes"},
		{"regex", `"^[\\w.+-]+@(?=.*\\.(com|org)$)[\\w.-]+$"`, `"user@example.net"`, "no"},
		{"regex", `"(?P<twice>.)(?P=twice)"`, `"book"`, "yes"},
		{"regex", `"(?P<twice>.)(?P=twice)"`, `"bok"`, "no"},
		{"regex", `"^\\w+$"`, `"été"`, "yes"},
		{"regex", `"^\\d$"`, `"٣"`, "yes"},
		{"regex", `"^\\s$"`, `"\u000b"`, "yes"},
		{"regex", `"[$]"`, `"a$b"`, "yes"},
		{"regex", `"(?=a)[]$]*a[$]"`, `"a$"`, "yes"},
		{"regex", `"^\\U0001F600$"`, `"😀"`, "yes"},
		{"regex", `"^a++b$"`, `"aaab"`, "yes"},
		{"regex", `"^a++ab$"`, `"aaab"`, "no"},
		{"regex", `"^(?:a|[bc]){2,}+c$"`, `"abcc"`, "no"},
		{"regex", `"^(?:a|[bc]){2,}?c$"`, `"abcc"`, "yes"},
		{"regex", `"(?>a+)b"`, `"aab"`, "yes"},
		{"regex", `"^(<)?a(?(1)>|$)$"`, `"<a>"`, "yes"},
		{"regex", `"^(<)?a(?(1)>|$)$"`, `"<a"`, "no"},
		{"regex", `"(?x) (?=a) a b # the end"`, `"ab"`, "yes"},
		{"regex", `"[(]a++[)]"`, `"(aa)"`, "yes"},
		{"regex", `"^\\u0061*+b$"`, `"aab"`, "yes"},
		{"regex", `"(?P<x>a)(b)\\1"`, `"aba"`, "yes"},
		{"regex", `"(?P<x>a)(b)\\1"`, `"abb"`, "no"},
		{"regex", `"^(?P<x><)?a(?(x)>|)$"`, `"<a"`, "no"},
		// Repeats of what is empty have hung and broken engines.
		{"regex", `"(?>(?:a*?|b)+?x??-?|[^a])+[^a]*"`, `"a.b"`, "yes"},
		{"regex", `"^(?!(?!a+?\\w?|\\.+?)+?)"`, `"]a"`, "no"},
		{"regex", `"a++++"`, `"a"`, "?"},
		{"regex", `"4."`, `42`, "yes"},
		{"regex", `"^true$"`, `true`, "yes"},
		{"regex", `"("`, `"("`, "?"},
		{"not_regex", `"("`, `"a"`, "?"},
		{"regex", `"a"`, absent, "no"},
		{"not_regex", `"a"`, absent, "yes"},
		{"not_regex", `"("`, absent, "yes"},
		{"not_regex", `"a"`, `"b"`, "yes"},
		{"not_regex", `"a"`, `"a"`, "no"},
		// Without lookaround no expression takes long.
		{"regex", `"^(a+)+$"`, `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"`, "no"},
		{"regex", `"^(?!x)(a+)+$"`, `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"`, "?"},
	})
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	checkComparisons(t, []comparison{
		{"gt", `"9"`, `10`, "yes"},
		{"gt", `"9"`, `"10"`, "yes"},
		{"gt", `9`, `9`, "no"},
		{"gte", `"9"`, `9.0`, "yes"},
		{"lt", `"1e3"`, `999`, "yes"},
		{"lte", `".5"`, `0.5`, "yes"},
		{"lt", `"inf"`, `1`, "yes"},
		{"lt", `"5"`, `"NaN"`, "no"},
		{"gte", `"5"`, `"NaN"`, "no"},
		{"gt", `"5"`, `"many"`, "?"},
		{"gt", `"5"`, `" 6"`, "?"},
		{"gt", `"5"`, `"0x1p4"`, "?"},
		{"gt", `"5"`, `"1_0"`, "?"},
		{"gt", `"5"`, `true`, "?"},
		{"gt", `"5"`, `null`, "?"},
		{"gt", `"few"`, `6`, "?"},
		{"gt", `"5"`, absent, "no"},
		{"lte", `"5"`, absent, "no"},
		{"between", `[1,"3"]`, `3`, "yes"},
		{"between", `[1,3]`, `4`, "no"},
		{"between", `[3,1]`, `2`, "?"},
		{"between", `[1]`, `2`, "?"},
		{"between", `[1,3]`, absent, "no"},
		{"not_between", `[1,3]`, `4`, "yes"},
		{"not_between", `[1,3]`, `"NaN"`, "no"},
		{"not_between", `[1,3]`, absent, "yes"},
	})
}

func TestVersions(t *testing.T) {
	t.Parallel()
	checkComparisons(t, []comparison{
		{"semver_eq", `"1.2.3"`, `"v1.2.3"`, "yes"},
		{"semver_eq", `"3.8"`, `"3.08"`, "yes"},
		{"semver_eq", `"3"`, `3`, "yes"},
		{"semver_eq", `"1.2.3"`, `"1.2.3+4"`, "no"},
		{"semver_neq", `"1.2.3"`, `"1.2.4"`, "yes"},
		{"semver_gt", `"1.9.0"`, `"1.10.0"`, "yes"},
		{"semver_gt", `"1.0.0-alpha.9"`, `"1.0.0-alpha.10"`, "yes"},
		{"semver_gt", `"1.0.0-alpha"`, `"1.0.0"`, "yes"},
		{"semver_lt", `"1.0.0-beta"`, `"1.0.0-2"`, "yes"},
		{"semver_lt", `"1.0.0-a.b"`, `"1.0.0-a"`, "yes"},
		{"semver_gte", `"2"`, `"2.0.0"`, "yes"},
		{"semver_lte", `"2.1"`, `"2.1.1"`, "no"},
		{"semver_gt", `"1.0.0"`, `"1.2.3.4"`, "no"},
		{"semver_gt", `"1.0.0"`, `"latest"`, "no"},
		{"semver_gt", `"1.0.0"`, `" 1.2.3"`, "yes"},
		{"semver_gt", `"v1.0.0"`, `"1.2.3 "`, "yes"},
		{"semver_gt", `"1.0.0"`, `"1..2.3"`, "no"},
		{"semver_gt", `"1.0.0"`, `".1.2.3"`, "no"},
		{"semver_gt", `"1.0.0"`, `"1.-2.3"`, "no"},
		{"semver_gt", `"1.0.0"`, `"2.0.0-01"`, "no"},
		{"semver_gt", `"newest"`, `"1.0.0"`, "?"},
		{"semver_gt", `"1.0.0"`, absent, "no"},
		{"semver_neq", `"1.0.0"`, absent, "no"},
		{"semver_tilde", `"1.2.3"`, `"1.2.9"`, "yes"},
		{"semver_tilde", `"1.2.3"`, `"1.3.0"`, "no"},
		{"semver_tilde", `"1.2.3"`, `"1.2.4-rc"`, "no"},
		{"semver_tilde", `"1.2.3-rc.1"`, `"1.2.3-rc.2"`, "yes"},
		{"semver_caret", `"1.2.3"`, `"1.9.0"`, "yes"},
		{"semver_caret", `"1.2.3"`, `"2.0.0"`, "no"},
		{"semver_caret", `"0.2.3"`, `"0.2.4"`, "yes"},
		{"semver_caret", `"0.2.3"`, `"0.3.0"`, "no"},
		{"semver_caret", `"0.0.3"`, `"0.0.4"`, "no"},
		{"semver_caret", `"1.2.3"`, `"1.2.2"`, "no"},
		{"semver_wildcard", `"1.*"`, `"1.9.9"`, "yes"},
		{"semver_wildcard", `"1.2.*"`, `"1.3.0"`, "no"},
		{"semver_wildcard", `"3.08.*"`, `"3.8.1"`, "yes"},
		{"semver_wildcard", `"1.*.*"`, `"1.0.0"`, "yes"},
		{"semver_wildcard", `"*"`, `"7.0.0"`, "yes"},
		{"semver_wildcard", `"1.*"`, `"1.0.0-rc"`, "no"},
		{"semver_wildcard", `"1.2"`, `"1.3.0"`, "yes"},
		{"semver_wildcard", `"0.2"`, `"0.3.0"`, "no"},
		{"semver_wildcard", `"1.2.3"`, `"1.2.4"`, "yes"},
		{"semver_wildcard", `"1.*.3"`, `"1.2.3"`, "?"},
		{"semver_wildcard", `"any"`, `"1.2.3"`, "?"},
	})
}

func TestOperatorsOfOtherProperties(t *testing.T) {
	t.Parallel()
	checkComparisons(t, []comparison{
		{"in", `1`, `1`, "?"},
		{"not_in", `1`, `1`, "?"},
		{"flag_evaluates_to", `true`, `true`, "?"},
		{"is_cleaned_path_exact", `"/"`, `"/"`, "?"},
	})
}

// A property that is absent matches exactly the operators that say what it is not.
func TestAbsentProperty(t *testing.T) {
	t.Parallel()
	var matching []string
	for name := range maps.Keys(operators) {
		if compared(t, comparison{operator: name, want: `"1"`, have: absent}, clock{testTime, time.UTC}) == "yes" {
			matching = append(matching, name)
		}
	}
	require.ElementsMatch(t, []string{
		"is_not", "is_not_set", "not_icontains", "not_icontains_multi", "not_regex", "not_starts_with", "not_ends_with",
		"not_between",
	}, matching)
}
