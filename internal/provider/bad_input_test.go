package provider_test

import (
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const keys = `{"api_keys":[
	{"key":"phx_read","user_id":1,"scopes":["survey:read","plugin:read"]},
	{"key":"phx_test","user_id":1,"scopes":["*"]},
	{"key":"phx_none","user_id":1,"scopes":[]}]}`

// Whatever is wrong around a create, there is one error that names the object and
// says what to do, and nothing is created.
func TestBadSurroundings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		environment map[string]string
		faults      []testserver.Fault
		config      map[string]any
		want        []string
	}{
		"wrong key": {
			environment: map[string]string{"POSTHOG_API_KEY": "phx_wrong"},
			want:        []string{`Could not create survey "S"`, "is invalid", "401", "POSTHOG_API_KEY"},
		},
		"missing scope": {
			environment: map[string]string{"POSTHOG_API_KEY": "phx_read"},
			want:        []string{`Could not create survey "S"`, "survey:write", "Give the API key the scope"},
		},
		"unknown project": {
			environment: map[string]string{"POSTHOG_PROJECT_ID": "77"},
			want:        []string{"in project 77", "Project not found", "Check the id of the project"},
		},
		"unreachable": {
			environment: map[string]string{"POSTHOG_BASE_URL": "http://127.0.0.1:1"},
			want:        []string{"127.0.0.1:1", "base_url"},
		},
		"a page": {
			faults: []testserver.Fault{{Method: http.MethodPost, HTML: true}},
			want:   []string{"HTML", "base_url"},
		},
		"a service that fails": {
			faults: []testserver.Fault{{Method: http.MethodPost, Status: http.StatusInternalServerError}},
			want:   []string{"500", "Run the same command again"},
		},
		"a name that is too long": {
			config: map[string]any{"name": string(make([]byte, 401)), "type": "popover"},
			want:   []string{"name", "400"},
		},
		"an unknown type": {
			config: map[string]any{"name": "S", "type": "popup"},
			want:   []string{"Unknown type", "popover, widget, external_survey, api"},
		},
		"a bad date": {
			config: map[string]any{"name": "S", "type": "popover", "start_date": "tomorrow"},
			want:   []string{"start_date", "tomorrow", "RFC 3339"},
		},
		"no JSON": {
			config: map[string]any{"name": "S", "type": "popover", "conditions": "{"},
			want:   []string{"conditions", "JSON"},
		},
		"no JSON object": {
			config: map[string]any{"name": "S", "type": "popover", "conditions": "[]"},
			want:   []string{"conditions", "object"},
		},
		"dates against the status": {
			config: map[string]any{"name": "S", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "status": "draft"},
			want:   []string{"status", "contradict"},
		},
		"both ways of targeting": {
			config: map[string]any{"name": "S", "type": "popover", "targeting_flag_id": 1, "targeting_flag_filters": "{}"},
			want:   []string{"targeting_flag_id", "targeting_flag_filters"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Fixtures(keys))
			env.Environment["POSTHOG_API_KEY"] = testserver.DefaultAPIKey
			maps.Copy(env.Environment, c.environment)
			env.SetFaults(c.faults...)

			config := c.config
			if config == nil {
				config = map[string]any{"name": "S", "type": "popover"}
			}
			survey := env.Resource(t, "posthog_survey")
			diags := survey.Apply(config)

			require.True(t, diags.HasError(), "no error")
			assert.Len(t, diags.Errors(), 1, diags.Text())
			for _, want := range c.want {
				assert.Contains(t, diags.Text(), want)
			}
			assert.NotContains(t, diags.Text(), "phx_", "the key is in the error")
			assert.Empty(t, env.Surveys(t))
		})
	}
}

func TestBadImportID(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for _, id := range []string{"", "nope", "1/", "/018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d", "a/b/c", "1/2/018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d", "{018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d}"} {
		diags := env.Resource(t, "posthog_survey").Import(id)
		require.True(t, diags.HasError(), id)
		assert.Contains(t, diags.Text(), "PROJECT/ID or ID", id)
	}
	diags := env.Resource(t, "posthog_survey").Import("1/018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d")
	require.Len(t, diags.Errors(), 1)
	assert.Contains(t, diags.Text(), "Could not import survey 018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d")
}
