package tfcli_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfcli"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const survey = `
terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

resource "posthog_survey" "nps" {
  name      = "NPS"
  type      = "popover"
  questions = [{ type = "open", question = "Why?" }]
}
`

func TestAccPlan(t *testing.T) {
	t.Parallel()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	service := testserver.Start(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.tf"), []byte(survey), 0o600))

	cli, err := tfcli.Find(os.Getenv("TF_ACC_TERRAFORM_PATH"), func() *provider.Provider {
		p := provider.New("test")
		p.Getenv = func(name string) string {
			return map[string]string{
				"POSTHOG_BASE_URL": service.URL, "POSTHOG_API_KEY": service.APIKey, "POSTHOG_PROJECT_ID": service.ProjectID,
			}[name]
		}
		return p
	})
	require.NoError(t, err)

	plan, err := cli.Plan(t.Context(), dir)
	require.NoError(t, err)
	require.Len(t, plan.ResourceChanges, 1)
	require.True(t, plan.ResourceChanges[0].Change.Actions.Create())
	about, err := cli.About(t.Context(), dir)
	require.NoError(t, err)
	require.Contains(t, []string{"Terraform", "OpenTofu"}, about.Product)
	require.Nil(t, about.Provider)

	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1, "planning must not leave files in the directory")

	isThere, err := cli.State(t.Context(), dir, func(*tfjson.StateResource) error { return errors.New("a resource") })
	require.NoError(t, err)
	require.False(t, isThere)
}
