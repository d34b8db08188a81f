package testserver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostedRules are what is known of the hosted service's surveys, by section and name.
// A test names the rule that it is about, so that none is forgotten.
func hostedRules() []string {
	rules := []string{
		"0 write-only", "0 two serializers", "0 conditions are an object when read", "0 conditions are an object when written",
		"1 nested flag", "1 nested user",
		"1.1 internal flag", "1.1 internal flag active", "1.1 iterations", "1.1 days to wait", "1.1 targeting flag created inactive",
		"1.1 targeting flag synced by the first PATCH", "1.1 sampling flag", "1.1 aggregation_group_type_index", "1.1 renaming does not rename flags",
		"1.2(5)(a)", "1.2(5)(b)", "1.2(5)(c)",
		"1.3 flag activity", "1.3 resume", "1.3 remove_targeting_flag true", "1.3 remove and filters", "1.3 no-op",
		"2 unknown keys",
		"3 order of fields", "3 order of the whole", "3 a field before the whole",
		"7 DELETE leaves the sampling flag", "7 DELETE takes the internal flag", "7 DELETE takes even a flag", "7 job (a)", "7 job (b)", "7 job (c)",
	}

	for field := range strings.FieldsSeq(`id name description type schedule linked_flag_id linked_insight_id
		internal_targeting_flag questions conditions appearance created_at created_by start_date end_date archived
		responses_limit iteration_count iteration_frequency_days iteration_start_dates current_iteration
		current_iteration_start_date response_sampling_start_date response_sampling_interval_type response_sampling_interval
		response_sampling_limit response_sampling_daily_limits enable_partial_responses enable_iframe_embedding base_language
		translations form_content feature_flag_keys user_access_level`) {
		rules = append(rules, "1 "+field)
	}

	for _, n := range []int{1, 2, 3, 4, 6, 7, 8, 9, 10, 12} {
		rules = append(rules, fmt.Sprintf("1.2(%d)", n))
	}

	for field := range strings.FieldsSeq(`name description type schedule linked_flag_id targeting_flag_id targeting_flag_filters
		remove_targeting_flag questions conditions appearance translations form_content start_date end_date archived
		responses_limit iteration_count iteration_frequency_days response_sampling_`) {
		rules = append(rules, "1.3 "+field)
	}

	// Row 39 is one of older servers, and that the newer ones allow it is tested with
	// the conditions; row 55 is about lists.
	for n := 1; n <= 55; n++ {
		switch n {
		case 39:
			rules = append(rules, "row 39 allowed")
		case 20, 21, 22, 24:
			// The contents of filters have rules of their own: T1 to T24.
		default:
			rules = append(rules, fmt.Sprintf("row %d ", n))
		}
	}

	rules = append(rules, hostedChanges()...)
	rules = append(rules, hostedChangesAround()...)
	return append(rules, hostedRulesAround()...)
}

func TestEveryHostedRuleHasATest(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)

	var sources strings.Builder
	for _, file := range files {
		if strings.HasPrefix(file, "hosted_rows_") {
			continue // the lists themselves
		}
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		sources.Write(source)
	}
	for _, rule := range hostedRules() {
		assert.True(t, isNamed(sources.String(), rule), "no test names the rule %q", rule)
	}
}

// otherRules are the names of rules that may stand before another one in a string.
var otherRules = regexp.MustCompile(`^(?:(?:[CT]\d+|row \d+) )*$`)

// isNamed reports whether a string in the sources begins with the name of a rule. It looks at the
// places alone where the name stands: sources are long, and rules are many.
func isNamed(sources, rule string) bool {
	for at := 0; ; at++ {
		next := strings.Index(sources[at:], rule)
		if next < 0 {
			return false
		}

		at += next
		begin := strings.LastIndexByte(sources[:at], '"') + 1
		if begin > 0 && otherRules.MatchString(sources[begin:at]) && isWholeName(rule, sources[at+len(rule):]) {
			return true
		}
	}
}

// isWholeName reports whether a name ends where it does, and is not the beginning of a longer word.
func isWholeName(name, rest string) bool {
	last := name[len(name)-1]
	if strings.ContainsRune("_ )", rune(last)) {
		return true // what may follow is a part of the name
	}
	return !continuesWord.MatchString(rest)
}

// continuesWord matches a text that goes on with the word before it.
var continuesWord = regexp.MustCompile(`^\w`)

func TestIsNamed(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]bool{
		`"row 5 name"`: true, `"C1 T2 row 5 name of"`: true, `x("a", "row 5 name")`: true, `"row 5 names"`: false,
		`"the row 5 name"`: false, `row 5 name`: false, `"C1row 5 name"`: false, `"row 5 names", "row 5 name_", "row 5 name-"`: true,
	} {
		assert.Equal(t, want, isNamed(source, "row 5 name"), source)
	}
	assert.True(t, isNamed(`"1.3 response_sampling_limit"`, "1.3 response_sampling_"))
}
