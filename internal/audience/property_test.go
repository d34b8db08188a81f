package audience

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// comparison is an operator's outcome: yes, no, or ? if PostHog can't decide. have is absent if the person lacks the
// property.
type comparison struct{ operator, want, have, outcome string }

const absent = "absent"

func compared(t *testing.T, c comparison) string {
	t.Helper()
	p := parseProperty(decode(t, `{"key":"k","type":"person","operator":"`+c.operator+`","value":`+c.want+`}`))
	fields := map[string]any{}
	if c.have != absent {
		fields["k"] = decode(t, c.have)
	}

	switch o := p.match((&Person{Properties: fields}).property, testTime); {
	case o.unknown != "":
		return "?"
	case o.isMatch:
		return "yes"
	}
	return "no"
}

func checkComparisons(t *testing.T, list []comparison) {
	t.Helper()
	for _, c := range list {
		require.Equal(t, c.outcome, compared(t, c), "%+v", c)
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
		{"regex", `"^(?:a|[bc]){2,}?c$"`, `"abcc"`, "yes"},
		{"regex", `"(?>a+)b"`, `"aab"`, "yes"},
		{"regex", `"^(<)?a(?(1)>|$)$"`, `"<a>"`, "yes"},
		{"regex", `"^(<)?a(?(1)>|$)$"`, `"<a"`, "no"},
		{"regex", `"(?x) (?=a) a b # the end"`, `"ab"`, "yes"},
		{"regex", `"^(?P<x><)?a(?(x)>|)$"`, `"<a"`, "no"},
		// Repetitions of empty matches have hung and crashed engines.
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
		{"semver_lt", `"1.0.0-a.1"`, `"1.0.0-a"`, "yes"},
		{"semver_gte", `"2"`, `"2.0.0"`, "yes"},
		{"semver_lte", `"2.1"`, `"2.1.1"`, "no"},
		{"semver_gt", `"1.0.0"`, `"1.2.3.4"`, "no"},
		{"semver_gt", `"1.0.0"`, `"latest"`, "no"},
		{"semver_gt", `"1.0.0"`, `" 1.2.3"`, "yes"},
		{"semver_gt", `"v1.0.0"`, `"1.2.3 "`, "yes"},
		{"semver_gt", `"1.0.0"`, `"1..2.3"`, "no"},
		{"semver_gt", `"1.0.0"`, `".1.2.3"`, "no"},
		{"semver_gt", `"1.0.0"`, `"1.-2.3"`, "no"},
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

// A missing property matches only the negative operators.
func TestAbsentProperty(t *testing.T) {
	t.Parallel()
	var matching []string
	for name := range maps.Keys(operators) {
		if compared(t, comparison{operator: name, want: `"1"`, have: absent}) == "yes" {
			matching = append(matching, name)
		}
	}
	require.ElementsMatch(t, []string{
		"is_not", "is_not_set", "not_icontains", "not_icontains_multi", "not_regex",
	}, matching)
}

func TestDates(t *testing.T) {
	t.Parallel()
	checkComparisons(t, []comparison{
		{"is_date_before", `"2025-01-01"`, `"2024-12-31T23:59:59Z"`, "yes"},
		{"is_date_before", `"2025-01-01"`, `"2025-01-01"`, "no"},
		{"is_date_exact", `"2025-01-01"`, `"2025-01-01 00:00"`, "yes"},
		{"is_date_exact", `"2024-12-31T23:00:00-01:00"`, `1735689600`, "yes"},
		{"is_date_exact", `"2025-01-01"`, `"1735689600"`, "yes"},
		{"is_date_exact", `"2025-01-01T00:00:00.5"`, `1735689600.5`, "yes"},
		{"is_date_exact", `"2028-03-10T05:09:07.867530107Z"`, `1836277747.86753`, "yes"},
		{"is_date_exact", `"2025-01-01"`, `1735689600.0`, "yes"},
		{"is_date_after", `"30d"`, `"2024-12-10"`, "yes"},
		{"is_date_after", `"-30d"`, `"2024-12-01"`, "no"},
		{"is_date_before", `"24h"`, `"2024-12-30T12:00:00Z"`, "yes"},
		{"is_date_before", `"1w"`, `"2024-12-26"`, "no"},
		{"is_date_before", `"7d"`, `"8d"`, "yes"},
		{"is_date_before", `"1m"`, `"2024-11-30"`, "yes"},
		{"is_date_before", `"1y"`, `"2023-12-31"`, "yes"},
		{"is_date_before", `"9999y"`, `"2023-12-31"`, "no"},
		{"is_date_after", `"9999d"`, `"2023-12-31"`, "yes"},
		{"is_date_after", `"10000d"`, `"2023-12-31"`, "no"},
		{"is_date_exact", `"Tue, 05 Mar 2024 18:15:00 GMT"`, `"2024-03-05T18:15:00Z"`, "yes"},
		{"is_date_after", `"yesterday"`, `"2025-01-01"`, "no"},
		{"is_date_after", `"2024-01-01"`, `"soon"`, "no"},
		{"is_date_after", `"2024-01-01"`, `true`, "no"},
		{"is_date_after", `"2024-01-01"`, `null`, "no"},
		{"is_date_after", `20240101`, `"2025-01-01"`, "no"},
		{"is_date_after", `"2024-01-01"`, `1e300`, "no"},
		{"is_date_after", `"2024-02-30"`, `"2025-01-01"`, "no"},
		{"is_date_before", `"30d"`, absent, "no"},
		{"is_date_exact", `"0001-01-01"`, `"0001-01-01"`, "yes"},
	})
}

// Months and years are subtracted one by one, and the day is limited to the length of each month.
func TestRelativeDates(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 5, 31, 12, 30, 0, 5, time.UTC)
	for text, want := range map[string]string{
		"3h": "2024-05-31T09:30:00", "1d": "2024-05-30T12:30:00", "-2w": "2024-05-17T12:30:00",
		"1m": "2024-04-30T12:30:00", "2m": "2024-03-30T12:30:00", "3m": "2024-02-29T12:30:00", "0d": "2024-05-31T12:30:00",
	} {
		got, ok := parseDate(text, now)
		require.True(t, ok, text)
		require.Equal(t, want+".000000005Z", got.UTC().Format(time.RFC3339Nano), text)
	}

	leap := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	got, ok := parseDate("4y", leap)
	require.True(t, ok)
	require.Equal(t, "2020-02-28", got.Format(time.DateOnly))
}

// partitions are groups of operators. For comparable values, exactly one operator in each group matches.
var partitions = []string{
	"exact is_not", "icontains not_icontains",
	"icontains_multi not_icontains_multi", "regex not_regex", "gt lte", "lt gte",
	"semver_lt semver_eq semver_gt", "semver_lte semver_gt", "semver_gte semver_lt", "semver_eq semver_neq",
	"is_date_before is_date_exact is_date_after", "is_set is_not_set",
}

// If operators exclude each other, at most one matches any two values, and either all or none can be decided.
func TestOperatorsExcludeEachOther(t *testing.T) {
	t.Parallel()
	versions := rapid.StringMatching(`v?[0-9]{1,2}(\.[0-9]{1,2}){0,2}(-[a-z0-9]{1,3}(\.[0-9]{1,2})?)?`)
	dates := rapid.StringMatching(`20[0-9]{2}-0[1-9]-[0-2][1-8]( 1[0-9]:[0-5][0-9])?|[0-9]{1,3}[hdwmy]`)
	likely := rapid.OneOf(versions, dates).AsAny()

	rapid.Check(t, func(rt *rapid.T) {
		names := strings.Fields(rapid.SampledFrom(partitions).Draw(rt, "operators"))
		want, have := rapid.OneOf(likely, anyValue(2)).Draw(rt, "want"), rapid.OneOf(likely, anyValue(2)).Draw(rt, "have")
		person := &Person{Properties: map[string]any{"k": recoded(have)}}

		holding, undecided := 0, 0
		for _, name := range names {
			p := parseProperty(map[string]any{"key": "k", "operator": name, "value": recoded(want)})
			switch o := p.match(person.property, testTime); {
			case o.unknown != "":
				undecided++
			case o.isMatch:
				holding++
			}
		}
		if holding > 1 || undecided != 0 && undecided != len(names) {
			rt.Fatalf("operators %v with %v and %v: %d match and %d are undecided, want at most one match and all or none undecided", names, have, want, holding, undecided)
		}
	})
}
