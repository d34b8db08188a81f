package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/hcledit"
)

// Each line of the report says on which side a value is, and which question it is.
func TestPullReportSaysWhichSideHasWhat(t *testing.T) {
	t.Parallel()
	question := map[string]any{"id": "0190d6a4-0000-7000-8000-000000000001", "type": "open", "question": "Which feature do you miss?", "branching": map[string]any{"type": "end"}}

	for _, c := range []struct {
		outcome    hcledit.Outcome
		code, live any
		want       string
	}{
		{hcledit.Edited, nil, question, `new open "Which feature do you miss?"`},
		{hcledit.Edited, question, nil, `gone open "Which feature do you miss?"`},
		{hcledit.Edited, "a", "b", `"a" -> "b"`},
		{hcledit.Left, "a", "b", `code "a", live "b"`},
		{hcledit.Pending, question, nil, `in the code alone open "Which feature do you miss?"`},
		{hcledit.Pending, nil, question, `not in the code, live open "Which feature do you miss?"`},
		{hcledit.Conflict, nil, question, `not in the code, live open "Which feature do you miss?"`},
	} {
		f := pullFinding{Outcome: string(c.outcome), File: "main.tf", Line: 3, Address: "posthog_survey.s", Attribute: "questions[0]", Code: c.code, Live: c.live}
		var b strings.Builder
		require.NoError(t, pullReport{Findings: []pullFinding{f}}.Text(&b))
		line, _, _ := strings.Cut(b.String(), "\n")
		assert.Equal(t, c.want, line[strings.Index(line, ": ")+2:])
	}
}
