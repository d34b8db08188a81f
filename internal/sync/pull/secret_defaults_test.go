package pull_test

import (
	"os"
	"path/filepath"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// If a secret field's default was set in PostHog, pull neither writes it to the configuration nor prints it. pull
// still writes other edits.
func TestSecretDefaultsStayOutOfTheCode(t *testing.T) {
	t.Parallel()
	const code = `resource "posthog_pipeline_import_app" "a" {
  config_schema = jsonencode([
    { key = "pw", secret = true, name = "Password" },
    { key = "mail", name = "Mail" },
  ])
}
`
	const applied = `[{"key":"pw","secret":true,"name":"Password"},{"key":"mail","name":"Mail"}]`
	for name, c := range map[string]struct{ applied, live, want string }{
		"new":         {applied, `[{"key":"pw","secret":true,"name":"Password","default":"HUSH"},{"key":"mail","name":"Mail"}]`, code},
		"edited":      {`[{"key":"pw","secret":true,"name":"Password","default":"HUSH1"},{"key":"mail","name":"Mail"}]`, `[{"key":"pw","secret":true,"name":"Password","default":"HUSH2"},{"key":"mail","name":"Mail"}]`, code},
		"and a name":  {applied, `[{"key":"pw","secret":true,"name":"Password","default":"HUSH"},{"key":"mail","name":"Address"}]`, `name = "Address"`},
		"a new field": {applied, `[{"key":"pw","secret":true,"name":"Password"},{"key":"mail","name":"Mail"},{"key":"more","secret":true,"default":"HUSH"}]`, `key = "more"`},
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.tf"), []byte(code), 0o600))
		change := &tfjson.ResourceChange{
			Address: "posthog_pipeline_import_app.a", Mode: tfjson.ManagedResourceMode, Type: "posthog_pipeline_import_app", Name: "a", ProviderName: "ours",
			Change: &tfjson.Change{
				Actions: tfjson.Actions{tfjson.ActionUpdate}, Before: object{"id": 1.0, "config_schema": c.live}, After: object{"id": 1.0, "config_schema": applied},
			},
		}
		drift := *change
		drift.Change = &tfjson.Change{Before: object{"id": 1.0, "config_schema": c.applied}, After: change.Change.Before}
		plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{change}, ResourceDrift: []*tfjson.ResourceChange{&drift}}

		resources, err := pull.Resources(plan, nil, nil, func(string) bool { return true })
		require.NoError(t, err)
		written, found, err := pull.Edit(dir, nil, resources)
		require.NoError(t, err)

		after := code
		if len(written) > 0 {
			after = string(written[0].After)
		}
		assert.Contains(t, after, c.want, name)
		assert.NotContains(t, after, "HUSH", name)
		var left int
		for _, f := range found {
			assert.NotContains(t, []any{f.Code, f.Live}, "HUSH", name)
			assert.Equal(t, pull.Redacted, f.Live, name)
			if f.Attribute == "config_schema" {
				left++
				assert.Contains(t, f.Reason, "the default of the secret field", name)
			}
		}
		assert.Equal(t, 1, left, name)
	}
}
