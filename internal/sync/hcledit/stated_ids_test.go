package hcledit

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Ids go into the questions that the code states, in whatever form, and nothing else changes. A
// second time there is nothing to do.
func TestStateIDs(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		`[{ type = "open" }, { type = "link" }]`:                                                       `[{ type = "open", id = "a" }, { type = "link" }]`,
		`[{ id = "old", type = "open" }, {}]`:                                                          `[{ id = "a", type = "open" }, {}]`,
		`provider::posthog::questions([{ name = "x", type = "open" }, {}])`:                            `provider::posthog::questions([{ name = "x", id = "a", type = "open" }, {}])`,
		`[provider::posthog::question({ type = "open" }), {}]`:                                         `[provider::posthog::question({ type = "open", id = "a" }), {}]`,
		"[\n    { # first\n      type     = \"open\"\n      question = \"Why?\"\n    },\n    {},\n  ]": "[\n    { # first\n      type     = \"open\"\n      question = \"Why?\"\n      id       = \"a\"\n    },\n    {},\n  ]",
	} {
		edited, findings := stateIDs(t, code, "a", "")
		assert.Contains(t, edited, "questions = "+want, code)
		require.Len(t, findings, 1, code)
		assert.Equal(t, Edited, findings[0].Outcome)
		assert.Equal(t, "questions[0].id", findings[0].Attribute)

		again, findings := stateIDs(t, want, "a", "")
		assert.Contains(t, again, "questions = "+want)
		assert.Empty(t, findings)
	}

	for _, code := range []string{`var.questions`, `[for q in var.questions : q]`, `[var.first, {}]`, `[{ id = var.id }, {}]`, `[{ (var.key) = 1 }, {}]`, `[{}]`} {
		edited, findings := stateIDs(t, code, "a", "")
		assert.Contains(t, edited, "questions = "+code)
		require.Len(t, findings, 1, code)
		assert.Equal(t, Unresolved, findings[0].Outcome, code)
		assert.NotEmpty(t, findings[0].Reason)
	}
}

func stateIDs(t *testing.T, code string, ids ...string) (string, []Finding) {
	t.Helper()
	file, err := Parse("main.tf", fmt.Appendf(nil, "resource \"posthog_survey\" \"s\" {\n  questions = %s\n}\n", code))
	require.NoError(t, err)
	findings := file.StateIDs(file.Resource("posthog_survey", "s"), ids)
	edited, err := file.Bytes()
	require.NoError(t, err)
	return string(edited), findings
}
