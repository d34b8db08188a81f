package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An apply keeps new question IDs if the configuration sets them or ignores changes to them, or if both IDs have
// answers. Until someone restores the old IDs, every command reports the detached answers with the same words and
// counts, and prints the same command.
func TestAccCommandsAgreeOnKeptIDs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		isIgnored, isAnswered bool
		// edit returns the changed configuration. ids contains the new IDs.
		edit func(text string, ids []string) string
	}{
		"new IDs set":                   {edit: setIDs},
		"new IDs set, answered":         {edit: setIDs, isAnswered: true},
		"ignored":                       {isIgnored: true},
		"ignored, answered":             {isIgnored: true, isAnswered: true},
		"answered, nothing about an ID": {isAnswered: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPulled(t)
			read := func() string {
				text, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
				require.NoError(t, err)
				return string(text)
			}
			main := func(edit func(text string) string) { p.cli.Write("main.tf", edit(read())) }
			main(func(text string) string { return strings.Replace(text, `"draft"`, `"running"`, 1) })
			if c.isIgnored {
				main(func(text string) string {
					return strings.Replace(text, "  questions = [", "  lifecycle {\n    ignore_changes = [questions]\n  }\n  questions = [", 1)
				})
			}
			p.apply()
			respond(t, p.env.Instance, p.survey(), "ann", "bob")
			p.edit(withoutIDs)
			if c.isAnswered {
				respond(t, p.env.Instance, p.survey(), "cem")
			}
			if c.edit != nil {
				main(func(text string) string { return c.edit(text, strings.Fields(p.ids())) })
			}
			source := read()

			plan := filepath.Join(p.cli.Dir, "p.tfplan")
			printed, _ := p.cli.Exit("plan", "-no-color", "-input=false", "-out="+plan)
			lines := strings.NewReplacer("`", "", "\\", "")
			want := detachedLines(printed)
			require.Len(t, want, 2, printed)
			for command, wantCode := range map[string]int{
				"review " + plan + " --fail-on detached-answers": codeRefused,
				"diff code:" + p.cli.Dir + " live":               codeDifferences,
				"diff tf:" + p.cli.Dir + " live":                 codeDifferences,
				"diff plan:" + plan + " live":                    codeDifferences,
			} {
				exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, append(strings.Fields(command), "--terraform", p.cli.Path())...)
				output := lines.Replace(stdout + stderr)
				assert.Equal(t, wantCode, exit, "%s\n%s", command, output)
				for _, line := range want {
					assert.Contains(t, output, line, command)
				}
				assert.Equal(t, printedRepairs(printed), printedRepairs(output), "%s\n%s", command, output)
			}

			exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
			assert.Equal(t, codeDifferences, exit, "%s\n%s", stdout, stderr)
			for _, line := range want {
				assert.Contains(t, stdout, line+"; ")
			}
			assert.NotRegexp(t, "pending|conflict|edited", stdout)
			assert.Equal(t, source, read())
		})
	}
}

// A plan that imports a survey reports its detached answers once. review shows that the plan restores the old IDs,
// and pull writes the old IDs.
func TestAccImportReportsDetachedAnswersOnce(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	source, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)
	p.cli.Write("main.tf", strings.Replace(string(source), `"draft"`, `"running"`, 1))
	p.apply()
	before := strings.Fields(p.ids())
	respond(t, p.env.Instance, p.survey(), "ann", "bob")
	p.edit(withoutIDs)

	p.cli.Run("state", "rm", "posthog_survey.s")
	id, _ := p.survey()["id"].(string)
	p.cli.Write("import.tf", "import {\n  to = posthog_survey.s\n  id = \""+id+"\"\n}\n")
	plan := filepath.Join(p.cli.Dir, "p.tfplan")
	printed, _ := p.cli.Exit("plan", "-no-color", "-input=false", "-out="+plan)
	assert.Equal(t, 1, strings.Count(printed, "Detached answers:"), printed)
	assert.Contains(t, printed, "The apply restores the old IDs")
	assert.Len(t, detachedLines(printed), 2, printed)

	exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "review", plan, "--fail-on", "detached-answers", "--terraform", p.cli.Path())
	require.Zero(t, exit, "%s\n%s", stdout, stderr)
	assert.Equal(t, 2, strings.Count(stdout, "| reattached at "), stdout)

	exit, stdout, stderr = commandLine(t, t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
	require.Equal(t, codeDifferences, exit, "%s\n%s", stdout, stderr)
	p.apply()
	assert.Equal(t, before, strings.Fields(p.ids()))
	p.requireEmptyPlan()
}

// setIDs sets the question IDs in the configuration.
func setIDs(text string, ids []string) string {
	for _, id := range ids {
		text = strings.Replace(text, `{ type = "open"`, `{ id = "`+id+`", type = "open"`, 1)
	}
	return text
}
