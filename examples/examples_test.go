// Package examples_test runs every example with a real Terraform, so that users can copy working examples.
package examples_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/officialprovider"
)

// Examples that contain the provider's source use the real one. If this program runs under a provider's name, it
// serves the stand-in for posthog/posthog.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == providerProgram {
		if err := officialprovider.Serve(context.Background(), officialprovider.Resources); err != nil {
			panic(err)
		}
		return
	}

	if err := os.Setenv(resource.EnvTfAccProviderNamespace, "surveys-as-code"); err != nil {
		panic(err)
	}
	code := m.Run()
	if os.Getenv(resource.EnvTfAcc) != "" {
		if dir, err := installed(); err == nil {
			_ = os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

// covered contains the files that the following tests run. A new kind of example fails TestEveryExampleIsCovered
// until a test covers it.
var covered = []string{
	"demo/*.tf",
	"provider/provider.tf",
	"resources/*/resource*.tf",
	"resources/*/import.sh",
	"resources/*/import-by-string-id.tf",
	"resources/*/import-by-identity.tf",
	"data-sources/*/data-source.tf",
	"functions/*/function.tf",
	"list-resources/*/list-resource.tfquery.hcl",
	"actions/*/action.tf",
	"guides/*/main.tf",
	"guides/*/*/main.tf",
	"guides/yaml/surveys.yaml",
	"guides/test/survey.tftest.hcl",
	// The tests of internal/sync/cli run these files for posthog-sync.
	"at-scale/posthog-sync.yaml",
	"at-scale/github/*.yml",
	"at-scale/gitlab/drift.yml",
	"at-scale/kubernetes/*",
	"at-scale/terragrunt/*.hcl",
	"at-scale/terragrunt/*/terragrunt.hcl",
	"pipelines/*",
	"pipelines/github/*.yml",
	"yaml/surveys.yaml",
	"yaml/github/surveys.yml",
	// make lint checks these files against action.yml.
	"github/*.yml",
	"*/example.tftest.hcl",
	"*/*/example.tftest.hcl",
	"acceptance/module/main.tf",
	"acceptance/*_test.go",
	// make example-app runs these files.
	"app/README.md",
	"app/*.js",
	"app/*.json",
	"app/*.tf",
	"app/public/*",
	"app/tests/*.js",
	"browser-test/*.js",
	"neighbours/*.tf",
	"dates/*.tf",
	"programme/*.tf",
	"after-sign-up/*.tf",
	"one-look/*.tf",
	"yaml-projects/*",
	"slack/*.tf",
	"nps-insight/*.tf",
	// make lint checks the workflow. The commands for agents are the same as in the guides.
	"dates/github/*.yml",
	"agents/AGENTS.md",
	// The tests of testserver cover the server's environment variables and the health check.
	"containers/compose.yaml",
	"containers/github/*.yml",
	"README.md",
	"team/*.tf",
	"team/*.tfbackend",
	"team/*.tfvars",
	"policies/README.md",
	"policies/settings.yaml",
	"policies/policy/*.rego",
	"policies/plans/*.json",
	"policies/plans/*/*/main.tf",
}

func TestEveryExampleIsCovered(t *testing.T) {
	t.Parallel()
	known := []string{"testdata/fixtures.json"}
	for _, pattern := range append(covered, "*_test.go") {
		known = append(known, glob(t, pattern)...)
	}
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, entry fs.DirEntry, err error) error {
		// Running the example app creates these directories.
		if entry != nil && entry.IsDir() && slices.Contains([]string{"node_modules", "test-results", ".terraform"}, entry.Name()) {
			return fs.SkipDir
		}
		if err == nil && !entry.IsDir() && !slices.Contains(known, file) {
			t.Errorf("%s is not tested: add a test that runs it", file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Everything that the provider serves has an example, which the documentation shows.
func TestEverythingHasAnExample(t *testing.T) {
	t.Parallel()
	var document struct {
		Providers map[string]map[string]json.RawMessage `json:"provider_schemas"`
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, "../schemas/provider.json")), &document))
	require.Len(t, document.Providers, 1)

	for _, schemas := range document.Providers {
		for kind, file := range map[string]string{
			"resource_schemas":      "resources/%s/resource.tf",
			"data_source_schemas":   "data-sources/%s/data-source.tf",
			"list_resource_schemas": "list-resources/%s/list-resource.tfquery.hcl",
			"action_schemas":        "actions/%s/action.tf",
			"functions":             "functions/%s/function.tf",
		} {
			var served map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(schemas[kind], &served), kind)
			require.NotEmpty(t, served, kind)
			for name := range served {
				assert.FileExists(t, fmt.Sprintf(file, name))
			}
		}
	}
}

// glob returns the files that match a pattern. At least one file must match.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := fs.Glob(os.DirFS("."), pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no example matches %s (%v)", pattern, err)
	}
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// beside returns the path of another file in the same directory.
func beside(file, other string) string { return path.Join(path.Dir(file), other) }

// acme starts a server with the objects to which the examples refer.
func acme(t *testing.T, options ...acctest.Option) *acctest.Env {
	t.Helper()
	return acctest.Start(t, append(options, acctest.Fixtures(read(t, "testdata/fixtures.json")))...)
}
