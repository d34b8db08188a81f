package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A fault at any request of a pull leaves the files as they were, or complete when the
// fault hits the plan that checks them; the error names the request.
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
				assert.Contains(t, stderr, "the files are written as reported, but could not be checked", what)
			}
			assert.Equal(t, want, string(written), what)
		}
	}
}
