package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// Each line of the report shows which source contains a value, and identifies the question.
func TestPullReportSaysWhichSideHasWhat(t *testing.T) {
	t.Parallel()
	question := map[string]any{"id": "0190d6a4-0000-7000-8000-000000000001", "type": "open", "question": "Which feature do you miss?", "branching": map[string]any{"type": "end"}}

	for _, c := range []struct {
		outcome    code.Outcome
		code, live any
		want       string
	}{
		{code.Edited, nil, question, `new open "Which feature do you miss?"`},
		{code.Edited, question, nil, `gone open "Which feature do you miss?"`},
		{code.Edited, "a", "b", `"a" -> "b"`},
		{code.Unresolved, "a", "b", `configuration "a", live "b"`},
		{code.Pending, question, nil, `only in the configuration: open "Which feature do you miss?"`},
		{code.Pending, nil, question, `not in the configuration, live open "Which feature do you miss?"`},
		{code.Conflict, nil, question, `not in the configuration, live open "Which feature do you miss?"`},
	} {
		f := pull.Finding{
			Finding: code.Finding{Outcome: c.outcome, Line: 3, Attribute: "questions[0]", Code: c.code, Live: c.live}, File: "main.tf", Address: "posthog_survey.s",
		}
		line := strings.Split(printable(pullReport{Findings: []pull.Finding{f}}).Text(), "\n")[1]
		assert.Equal(t, c.want, line[strings.Index(line, ": ")+2:])
	}
}

// The plan after a pull determines which differences are left.
func TestPullReportAgreesWithThePlanAfterIt(t *testing.T) {
	t.Parallel()
	finding := func(outcome code.Outcome, address, attribute string) pull.Finding {
		return pull.Finding{Finding: code.Finding{Outcome: outcome, Attribute: attribute}, Address: address}
	}
	report := newPullReport("code", nil, []pull.Finding{
		finding(code.Edited, "a", "questions[0].question"), finding(code.Pending, "a", "questions[1]"), finding(code.Unresolved, "b", "name"),
		finding(code.Edited, "b", "description"), finding(code.Unresolved, "c", ""),
	})
	report.add(newPullReport("code", nil, []pull.Finding{finding(code.Unresolved, "b", "name"), finding(code.Edited, "b", "description"), finding(code.Unresolved, "c", "type")}), true)

	var lines []string
	for _, f := range report.Findings {
		lines = append(lines, strings.TrimSpace(string(f.Outcome)+" "+f.Address+" "+f.Attribute))
	}
	assert.Equal(t, []string{"edited a questions[0].question", "edited b description", "left b name", "left b description", "left c type"}, lines)
}

// The report lists each change of a later round once, whether that round writes the change or not.
func TestPullReportOfSeveralRounds(t *testing.T) {
	t.Parallel()
	finding := func(outcome code.Outcome, attribute string, live any) pull.Finding {
		return pull.Finding{Finding: code.Finding{Outcome: outcome, Attribute: attribute, Live: live}, Address: "a"}
	}
	report := newPullReport("code", []pull.Change{{Path: "b.tf"}}, []pull.Finding{
		finding(code.Edited, "name", "x"), finding(code.Edited, "questions[1]", nil), finding(code.Conflict, "questions[2]", nil),
	})
	report.add(newPullReport("code", []pull.Change{{Path: "a.tf"}, {Path: "b.tf"}}, []pull.Finding{
		finding(code.Edited, "name", "x"), finding(code.Edited, "questions[1]", "y"), finding(code.Unresolved, "description", "z"),
	}), false)

	var lines []string
	for _, f := range report.Findings {
		lines = append(lines, string(f.Outcome)+" "+f.Attribute)
	}
	assert.Equal(t, []string{"edited questions[1]", "edited name", "edited questions[1]", "left description"}, lines)
	assert.Equal(t, []string{"a.tf", "b.tf"}, report.Files)
}
