package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// For any edits in PostHog and any style of configuration, after a pull: a plan changes only values that the report
// lists as left, a second pull changes no file, formatted files stay formatted, and an apply does not write to a
// survey without remaining differences.
func TestAccPullAtRandom(t *testing.T) {
	t.Parallel()
	seeds := 20
	if testing.Short() {
		seeds = 1 // make test-random runs all seeds
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			n := newNights(t, uint64(seed))
			for round := range max(2, sized(10)) {
				n.what = fmt.Sprintf("round %d", round)
				n.editSurveys()
				n.pull()
			}
		})
	}
}

// nights simulates days of edits in PostHog. Each day ends with a pull.
type nights struct {
	*testing.T
	cli    *acctest.CLI
	srv    *testserver.Instance
	random *rand.Rand
	what   string
	// edits lists the edits of the current round.
	edits []string
}

// newNights applies configuration in all styles to an empty project.
func newNights(t *testing.T, seed uint64) *nights {
	t.Helper()
	profile := []testserver.Profile{testserver.Hosted, testserver.Documented}[seed%2]
	env := acctest.Start(t, acctest.Profile(profile))
	n := &nights{T: t, cli: env.CLI(t), srv: env.Instance, random: rand.New(rand.NewPCG(seed, 1))} //nolint:gosec // a seed repeats it

	archive, err := txtar.ParseFile(filepath.Join("testdata", "pull_styles.txtar"))
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(n.cli.Dir, "survey"), 0o750))
	for _, file := range archive.Files {
		text := string(file.Data)
		if file.Name == "crlf.tf" {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		n.cli.Write(file.Name, text)
	}
	n.cli.Run("init", "-input=false")
	n.cli.Run("apply", "-auto-approve", "-input=false")
	n.requireFormatted()
	return n
}

// editSurveys makes up to four edits to each survey.
func (n *nights) editSurveys() {
	n.edits = nil
	surveys := n.srv.Surveys(n.srv.ProjectID)
	// The creation order is random. Sorting makes a seed reproducible.
	slices.SortFunc(surveys, func(a, b testserver.Object) int { return cmp.Compare(a["name"].(string), b["name"].(string)) })
	for _, survey := range surveys {
		for range n.random.IntN(5) {
			edit, patch := n.edit(n.srv.Survey(survey["id"].(string)))
			n.edits = append(n.edits, fmt.Sprintf("%v: %s %v", survey["name"], edit, patch))
			n.srv.PatchSurvey(survey["id"].(string), patch)
		}
	}
}

// pull runs pull, and checks the remaining differences.
func (n *nights) pull() {
	before := n.files()
	code, report := n.runPull()
	after := n.files()
	about := func() string {
		return fmt.Sprintf("%s\n%s\nreport: %s\n%s", n.what, strings.Join(n.edits, "\n"), report.text(), changed(before, after))
	}
	n.requireFormatted(about)

	again, second := n.runPull()
	require.Equal(n, after, n.files(), "%s: the second pull changed files\n%s", about(), changed(after, n.files()))
	require.Equal(n, code, again, "%s: the second pull: %s", about(), second.text())

	output, planned := n.cli.Exit("plan", "-detailed-exitcode", "-input=false", "-out=plan.bin")
	require.Equal(n, code, planned, "%s\n%s", about(), output)
	changed, addresses := n.planned()
	require.Equal(n, changed, report.leftRoots(), "%s\n%s", about(), output)

	live := n.srv.Surveys(n.srv.ProjectID)
	if code == codeDifferences && n.random.IntN(2) == 0 {
		return // no one resolves the differences on that day
	}
	n.apply(about, report, addresses, live)
}

// apply applies the plan. The apply must not write to surveys without remaining differences.
func (n *nights) apply(about func() string, report nightReport, addresses map[string]string, live []testserver.Object) {
	n.cli.Run("apply", "-input=false", "plan.bin")
	for i, survey := range n.srv.Surveys(n.srv.ProjectID) {
		if !report.leaves(survey["id"].(string), addresses) {
			require.Equal(n, live[i], survey, "%s: the apply changed a survey without remaining differences", about())
		}
	}
	output, planned := n.cli.Exit("plan", "-detailed-exitcode", "-input=false")
	require.Zero(n, planned, "%s: the plan after the apply is not empty\n%s", about(), output)
}

// runPull runs pull and returns its report.
func (n *nights) runPull() (int, nightReport) {
	code, stdout, stderr := commandLine(n.T, n.Context(), n.srv, "pull", n.cli.Dir, "--format", "json", "--terraform", cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform"))
	require.NotEqual(n, codeError, code, "%s: %s\n%s%s", n.what, strings.Join(n.edits, "\n"), stdout, stderr)
	var report nightReport
	require.NoError(n, json.Unmarshal([]byte(stdout), &report.pullReport), "%s: %s%s\n%s", n.what, stdout, stderr, strings.Join(n.edits, "\n"))
	return code, report
}

// nightReport is the report of a pull.
type nightReport struct{ pullReport }

func (r nightReport) text() string { return r.toReport().Text() }

// leftRoots maps resource addresses to the arguments that pull left unresolved.
func (r nightReport) leftRoots() []string {
	left := map[string]bool{}
	for _, f := range r.Findings {
		if f.IsLeft() {
			left[f.Address+" "+pull.Root(f.Attribute)] = true
		}
	}
	return slices.Sorted(maps.Keys(left))
}

// leaves reports whether a difference of a survey is left.
func (r nightReport) leaves(id string, addresses map[string]string) bool {
	return slices.ContainsFunc(r.Findings, func(f pull.Finding) bool {
		return f.IsLeft() && addresses[f.Address] == id
	})
}

// planned returns the arguments that the plan changes, by resource address, and the IDs of the surveys.
func (n *nights) planned() (arguments []string, ids map[string]string) {
	plan, err := tfplan.Parse([]byte(n.cli.Run("show", "-json", "plan.bin")))
	require.NoError(n, err)
	changed := map[string]bool{}
	ids = map[string]string{}
	for _, r := range plan.ResourceChanges {
		if values, ok := r.Change.Before.(map[string]any); ok {
			ids[r.Address] = fmt.Sprint(values["id"])
		}
		if r.Change.Actions.NoOp() {
			continue
		}
		for _, path := range changedPaths(r.Change.Before, r.Change.After, nil) {
			changed[r.Address+" "+pull.Root(path)] = true
		}
	}
	return slices.Sorted(maps.Keys(changed)), ids
}

// files returns the text of the configuration files.
func (n *nights) files() map[string]string {
	texts := map[string]string{}
	for _, pattern := range []string{"*.tf", "survey/*.tf"} {
		paths, err := filepath.Glob(filepath.Join(n.cli.Dir, pattern))
		require.NoError(n, err)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(n, err)
			texts[strings.TrimPrefix(path, n.cli.Dir)] = string(text)
		}
	}
	return texts
}

// requireFormatted requires that terraform fmt changes no file, except the file that was never formatted.
func (n *nights) requireFormatted(about ...func() string) {
	output, _ := n.cli.Exit("fmt", "-check", "-recursive", "-diff")
	for line := range strings.Lines(output) {
		name := strings.TrimSpace(line)
		if strings.HasSuffix(name, ".tf") && !strings.ContainsAny(name, " ") && name != "tabs.tf" {
			n.Fatalf("%s is not formatted: %s\n%s", name, output, about[0]())
		}
	}
}

// changed returns the text of changed files, before and after the change.
func changed(before, after map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if before[name] != after[name] {
			fmt.Fprintf(&b, "== %s before\n%s== after\n%s", name, before[name], after[name])
		}
	}
	return b.String()
}
