package cli

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// hostileNames returns names with a special meaning in a file system, a shell, Terraform, a web page, or a terminal.
func hostileNames() []string {
	names := []string{
		"CON", "con", "nul", "NUL.tf", "aux", "COM1", "lpt1.txt", "posthog", "surveys", "feature_flags", ".", "..", "../../x", "/etc/passwd", `C:\x`, "~", "-rf",
		"NPS", "nps", "Nps", "nPS", "ﬁ", "é", "${file(\"/etc/passwd\")}", "%{ if true }x%{ endif }", "<<-EOT\nx\nEOT", "*/", "\"\n}\nlocals {", "a\nb", "a\rb", "\t",
		strings.Repeat("long ", 60), strings.Repeat("ü", 300),
	}
	for i := range 60 {
		name := strings.ToValidUTF8(strings.ReplaceAll(property.Text().Example(i), "\x00", ""), "?")
		name = cty.StringVal(name).AsString() // Terraform normalizes strings to this Unicode form
		// A sync ignores whitespace around names.
		isKnown := slices.ContainsFunc(names, func(known string) bool { return strings.TrimSpace(known) == strings.TrimSpace(name) })
		if strings.TrimSpace(name) != "" && !isKnown {
			names = append(names, name)
		}
	}
	return names
}

// hostileFixtures returns a survey for each name. All of the survey's texts contain the name, and every fourth survey
// is linked to a flag with the name as its key.
func hostileFixtures(t *testing.T, names []string) string {
	t.Helper()
	var surveys, flags []fields
	for i, name := range names {
		survey := fields{
			"project_id": 1, "id": fmt.Sprintf("0190d6a4-0000-7000-8000-%012x", i+1), "name": name, "type": "popover", "description": name,
			"questions": []fields{{"id": "q", "type": "single_choice", "question": name, "choices": []string{name, name + "2"}}},
		}
		if i%4 == 0 {
			survey["linked_flag_id"] = i + 1
			flags = append(flags, fields{"id": i + 1, "project_id": 1, "key": name, "name": name})
		}
		surveys = append(surveys, survey)
	}
	text, err := json.Marshal(fields{"api_keys": []fields{{"key": "phx_hostile"}}, "surveys": surveys, "feature_flags": flags})
	require.NoError(t, err)
	return string(text)
}

// For any survey and flag names: each survey has its own configuration in both layouts, a second export changes
// nothing, a snapshot equals the live source, and all rendered flows and reports are well-formed.
func TestHostileNamesEndToEnd(t *testing.T) {
	t.Parallel()
	names := hostileNames()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(hostileFixtures(t, names))})
	done := func(want int, args ...string) string {
		t.Helper()
		code, stdout, stderr := commandLine(t, t.Context(), srv, args...)
		require.Equal(t, want, code, "%v: %s\n%s", args, stdout, stderr)
		assert.Empty(t, property.Commands(stderr), "%v", args)
		return stdout
	}

	for _, layout := range []string{"kind", "object"} {
		dir := t.TempDir()
		done(codeDone, "export", dir, "--layout", layout)
		files := contents(t, dir)
		assert.ElementsMatch(t, names, namesInCode(t, files), layout)
		assertFileNames(t, files)
		done(codeDone, "export", dir, "--layout", layout)
		assert.Equal(t, files, contents(t, dir), "%s: a second export must not change the files", layout)
	}

	file := filepath.Join(t.TempDir(), "live.json")
	done(codeDone, "snapshot", file)
	done(codeDone, "diff", "file:"+file, "live")
	done(codeDone, "sync", "file:"+file, "live", "--yes")
	for _, to := range []string{"svg", "text", "mermaid"} {
		dir := filepath.Join(t.TempDir(), to)
		done(codeDone, "draw", "--to", to, "--out", dir)
		files := contents(t, dir)
		assert.Len(t, files, len(names), to)
		assertFileNames(t, files)
		for name, drawing := range files {
			if to == "svg" {
				require.NoError(t, xml.Unmarshal([]byte(drawing), new(struct{})), name)
			}
		}
	}
	code, sarif, stderr := commandLine(t, t.Context(), srv, "lint", "--format", "sarif")
	assert.Contains(t, []int{codeDone, codeDifferences}, code, stderr)
	assert.True(t, json.Valid([]byte(sarif)), sarif)
}

// SARIF messages contain no links. Code hosts would show a link that a survey's name contains.
func TestSARIFHasNoLinks(t *testing.T) {
	t.Parallel()
	survey := `{"id": "019b0000-0000-7000-8000-00000000000%[2]d", "name": "%[1]s [sign in](https://evil.example)", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "project_id": 1,
		"questions": [{"id": "q", "type": "open", "question": "Why?"}]}`
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(
		`{"projects": [{"id": 1}], "surveys": [` + fmt.Sprintf(survey, "A", 1) + "," + fmt.Sprintf(survey, "B", 2) + `]}`,
	)})
	_, sarif, stderr := commandLine(t, t.Context(), srv, "lint", "--format", "sarif")

	var log struct {
		Runs []struct {
			Results []struct{ Message struct{ Text string } }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(sarif), &log), sarif+stderr)
	require.Len(t, log.Runs, 1)
	require.NotEmpty(t, log.Runs[0].Results)
	for _, result := range log.Runs[0].Results {
		assert.NotRegexp(t, sarifLink, result.Message.Text)
	}
}

// sarifLink matches unescaped brackets, which code hosts show as a link.
var sarifLink = regexp.MustCompile(`(^|[^\\])(\\\\)*\[[^\]]*\]\(`)

// namesInCode returns the names of all surveys in configuration files. It fails if a file contains a block that an
// export does not write.
func namesInCode(t *testing.T, files map[string]string) (names []string) {
	t.Helper()
	for file, text := range files {
		if file == pull.LockName {
			continue
		}
		parsed, diags := hclsyntax.ParseConfig([]byte(text), file, hcl.InitialPos)
		require.False(t, diags.HasErrors(), "%s: %s", file, diags)
		for _, block := range parsed.Body.(*hclsyntax.Body).Blocks { //nolint:forcetypeassert // what this parser makes
			require.Contains(t, []string{"terraform", "variable", "import", "resource"}, block.Type, file)
			if block.Type != "resource" {
				continue
			}
			require.Equal(t, "posthog_survey", block.Labels[0])
			name, diags := block.Body.Attributes["name"].Expr.Value(nil)
			require.False(t, diags.HasErrors(), "%s: %s", file, diags)
			names = append(names, name.AsString())
		}
	}
	return names
}

// assertFileNames asserts that the file names differ on a case-insensitive file system, and that no file has the name
// of a Windows device.
func assertFileNames(t *testing.T, files map[string]string) {
	t.Helper()
	devices := []string{"con", "prn", "aux", "nul", "com1", "lpt1"}
	seen := map[string]bool{}
	for file := range files {
		if file == pull.LockName {
			continue
		}
		lower := strings.ToLower(file)
		assert.False(t, seen[lower], file)
		seen[lower] = true
		stem, _, _ := strings.Cut(lower, ".")
		assert.NotContains(t, devices, stem)
		assert.Regexp(t, `^\w[\w.-]*$`, file)
	}
}

// For any names, a plan of the exported configuration is empty.
func TestAccHostileNamesPlanEmpty(t *testing.T) {
	t.Parallel()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(hostileFixtures(t, hostileNames()))})
	args := []string{"export", t.TempDir(), "--verify"}
	if program := os.Getenv("TF_ACC_TERRAFORM_PATH"); program != "" {
		args = append(args, "--terraform", program)
	}
	code, stdout, stderr := commandLine(t, t.Context(), srv, args...)
	assert.Equal(t, codeDone, code, "%s\n%s", stdout, stderr)
}

// A clock that is off by decades does not change a result or delay a run.
func TestWrongClocks(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetFixtures(strings.ReplaceAll(scriptFixtures, scriptKey, "phx_clocks"))
	var results []map[string]string
	for _, year := range []int{2026, 1971, 2099} {
		dir := t.TempDir()
		for _, args := range [][]string{{"export", dir}, {"snapshot", filepath.Join(dir, "live.json")}, {"diff", "live", "file:" + filepath.Join(dir, "live.json")}} {
			clock := newRunClock()
			clock.now = clock.now.AddDate(year-2026, 0, 0)
			began := clock.Now()
			srv.SetFaults(testserver.Fault{Operation: "surveys_list", Status: 429, RetryAfter: "30", To: 1})
			code, stdout, stderr := runProgramOn(t, t.Context(), testProgram(t, srv), srv, clock, args...)
			require.Equal(t, codeDone, code, "%d: %s\n%s", year, stdout, stderr)
			assert.LessOrEqual(t, clock.Now().Sub(began).Minutes(), 2.0, "%d: %v", year, args)
		}
		results = append(results, contents(t, dir))
	}
	assert.Equal(t, results[0], results[1])
	assert.Equal(t, results[0], results[2])
}
