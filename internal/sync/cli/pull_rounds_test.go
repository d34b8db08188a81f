package cli

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// editedMeanwhile is a server on which a teammate edits a survey each time that pull has written its files but has
// not yet verified them.
type editedMeanwhile struct {
	pulled
	*httptest.Server
	mu    sync.Mutex
	code  string
	edits []testserver.Object
}

func newEditedMeanwhile(t *testing.T, edits ...testserver.Object) *editedMeanwhile {
	t.Helper()
	s := &editedMeanwhile{pulled: newPulled(t), edits: edits}
	s.code = s.text()
	id := s.survey()["id"].(string)
	target, err := url.Parse(s.env.URL)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		if now := s.text(); now != s.code && len(s.edits) > 0 {
			s.env.PatchSurvey(id, s.edits[0])
			s.code, s.edits = now, s.edits[1:]
		}
		s.mu.Unlock()
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *editedMeanwhile) text() string {
	text, err := os.ReadFile(filepath.Join(s.cli.Dir, "main.tf"))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// run runs pull against this server.
func (s *editedMeanwhile) run(args ...string) (exit int, stdout string) {
	s.t.Helper()
	p := testProgram(s.t, s.env.Instance)
	getenv := p.getenv
	p.getenv = func(name string) string {
		if name == "POSTHOG_BASE_URL" {
			return s.URL
		}
		return getenv(name)
	}
	exit, stdout, stderr := runProgram(s.t, s.t.Context(), p, s.env.Instance, append([]string{"pull", s.cli.Dir, "--terraform", s.cli.Path()}, args...)...)
	require.NotEqual(s.t, codeError, exit, "%s%s", stdout, stderr)
	return exit, stdout
}

// pull also writes edits that are made while it runs.
func TestAccPullWritesUntilNothingIsLeft(t *testing.T) {
	t.Parallel()
	s := newEditedMeanwhile(t, testserver.Object{"name": "Second"}, testserver.Object{"description": "Third"})
	s.save(map[string]any{"name": "First"})
	exit, stdout := s.run("--by")
	assert.Zero(t, exit, stdout)

	for _, row := range []string{`name: "NPS" -> "First"; by `, `name: "First" -> "Second"; by `, `description: "" -> "Third"`, "3 edits in 1 file, 0 to resolve by hand"} {
		assert.Contains(t, stdout, row)
	}
	assert.Contains(t, s.text(), `"Second"`)
	before := s.text()
	assert.Equal(t, before, s.pull())
}

// pull ends despite endless edits, and reports the remaining differences.
func TestAccPullEnds(t *testing.T) {
	t.Parallel()
	var edits []testserver.Object
	for name := range strings.FieldsSeq("Second Third Fourth Fifth") {
		edits = append(edits, testserver.Object{"name": name})
	}
	s := newEditedMeanwhile(t, edits...)
	s.save(map[string]any{"name": "First"})
	exit, stdout := s.run()
	assert.Equal(t, codeDifferences, exit, stdout)
	assert.Contains(t, stdout, "3 edits in 1 file, 1 to resolve by hand")
	assert.Contains(t, s.text(), `"Third"`)
	s.edits = nil
	exit, stdout = s.run()
	assert.Zero(t, exit, stdout)
	assert.Contains(t, s.text(), `"Fourth"`)
}

// If any request of a pull fails, the files are unchanged. If the plan that verifies the files fails, the files are
// complete. The error contains the request.
func TestAccPullUnderFaults(t *testing.T) {
	t.Parallel()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	archive, err := txtar.ParseFile(filepath.Join("testdata", "script", "pull.txtar"))
	require.NoError(t, err)
	files := map[string]string{}
	for _, file := range archive.Files {
		files[file.Name] = strings.ReplaceAll(string(file.Data), "$REGISTRY", cmp.Or(os.Getenv("TF_ACC_PROVIDER_HOST"), "registry.terraform.io"))
	}
	srv := testserver.Start(t, testserver.Options{
		Profile: testserver.Hosted, Fixtures: strings.NewReader(strings.ReplaceAll(files["fixtures.json"], "$KEY", "phx_faults")),
	})
	before := files["code/main.tf"]
	complete := strings.Replace(before, "How likely?", "How probable?", 1)

	for _, at := range []testserver.Fault{
		{Operation: "surveys_retrieve"}, {Operation: "surveys_activity_retrieve"}, {Operation: "surveys_retrieve", From: 2},
	} {
		for name, fault := range map[string]testserver.Fault{"forbidden": {Status: 403}, "html": {HTML: true}} {
			what := fmt.Sprintf("%s from %d: %s", at.Operation, at.From, name)
			dir := t.TempDir()
			main := filepath.Join(dir, "main.tf")
			require.NoError(t, os.WriteFile(main, []byte(before), 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "terraform.tfstate"), []byte(files["code/terraform.tfstate"]), 0o600))
			fault.Operation, fault.From = at.Operation, at.From
			srv.SetFaults(fault)

			code, _, stderr := commandLine(t, t.Context(), srv, "pull", dir, "--by", "--terraform", cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform"))
			written, err := os.ReadFile(main)
			require.NoError(t, err)
			assert.Equal(t, codeError, code, "%s: %s", what, stderr)
			assert.Contains(t, stderr, at.Operation, what)
			want := before
			if at.From > 1 {
				want = complete
				assert.Contains(t, stderr, "the files were written as reported, but could not be verified", what)
			}
			assert.Equal(t, want, string(written), what)
		}
	}
}
