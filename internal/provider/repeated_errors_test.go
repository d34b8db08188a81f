package provider_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// badSurroundings are what makes every object of a run fail alike.
var badSurroundings = map[string]struct {
	variable, value string
	faults          []testserver.Fault
	want            string
}{
	"a bad key":    {"POSTHOG_API_KEY", "phx_wrong", nil, "the API key was refused (401)"},
	"no such host": {"POSTHOG_BASE_URL", "http://127.0.0.1:1", nil, "the service cannot be reached"},
	"another site": {"", "", []testserver.Fault{{HTML: true}}, "what answers at base_url is not the service"},
	"a key without the scope": {
		"", "", []testserver.Fault{{Status: 403, Body: map[string]any{"detail": "API key missing required scope 'survey:write'"}}},
		"API key missing required scope 'survey:write' (403)",
	},
	"a key of another project": {
		"", "", []testserver.Fault{{Status: 403, Body: map[string]any{"detail": "API key does not have access to the requested project: ID 1."}}},
		"project 1: API key does not have access to the requested project: ID 1 (403 Forbidden)",
	},
	"a service down": {"", "", []testserver.Fault{{Status: 503}}, "the service is failing"},
}

// What makes all objects fail alike is explained once: the other creates fail in one
// line, and the other refreshes warn under one title, beside the error that ends the
// run.
func TestB9SharedCauseIsExplainedOnce(t *testing.T) {
	t.Parallel()
	const many = 20
	for name, c := range badSurroundings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			objects := env.Resources(t, "posthog_survey", many)
			for i, o := range objects {
				require.Empty(t, o.Apply(named(i)).Errors().Text())
			}
			env.Environment[c.variable] = c.value
			env.SetFaults(c.faults...)

			env.NextRun(t, objects...)
			var diags acctest.Diagnostics
			for i, o := range objects {
				for _, one := range o.Refresh() {
					if one.Summary != "The service failed for a while" {
						diags = append(diags, one)
					}
				}
				assert.Equal(t, named(i)["name"], o.State("name"), "the state stays")
			}
			require.Len(t, diags, many, diags.Text())
			errs := diags.Errors()
			require.Len(t, errs, 1, errs.Text())
			assert.Contains(t, errs[0].Detail, "\n\n", "the first is given in full")
			for _, one := range diags[1:] {
				assert.Equal(t, tfprotov6.DiagnosticSeverityWarning, one.Severity)
				assert.Equal(t, "Not refreshed: "+c.want, one.Summary)
			}

			news := env.Resources(t, "posthog_survey", many)
			for i, o := range news {
				errs := o.Apply(named(many + i)).Errors()
				require.Len(t, errs, 1, errs.Text())
				if i > 1 { // the first may be one that was sent, and the second the first that was not
					assert.Equal(t, fmt.Sprintf("Could not create survey %q: %s", named(many + i)["name"], c.want), errs[0].Summary)
					assert.Empty(t, errs[0].Detail)
				}
				assert.False(t, o.Exists())
			}
		})
	}
}

func named(i int) map[string]any {
	return map[string]any{"name": fmt.Sprint("Survey ", i), "type": "popover"}
}

// On the terminal, the plan of twenty surveys with a bad key is a page.
func TestAccB9PlanWithABadKeyIsShort(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	s := newShell(t, env, env.URL, built(t))
	s.write("main.tf", strings.Replace(secretConfig, `name = "NPS"`, "count = 20\n  name = \"NPS ${count.index}\"", 1))
	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)
	output, ok = s.run("phx_wrong", "plan")
	require.False(t, ok, "the plan fails")
	assert.Equal(t, 1, strings.Count(output, "Error: "), output)
	assert.Contains(t, output, "Check the API key")
	_, report, _ := strings.Cut(output, "may therefore not match") // after the notice of the development override
	assert.Less(t, strings.Count(report, "\n"), 60, output)
	assert.Len(t, env.Surveys(t), 20)
}

// Headers of the provider block or the environment go with every request; what can't
// be sent is refused with the attribute's path and without its value.
func TestHeaders(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.Environment["POSTHOG_HEADERS"] = `{"CF-Access-Client-Secret": "s3cr3t-of-the-proxy"}`
	proxy := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "s3cr3t-of-the-proxy", r.Header.Get("CF-Access-Client-Secret"))
		env.Server.ServeHTTP(rw, r)
	}))
	t.Cleanup(proxy.Close)
	env.Environment["POSTHOG_BASE_URL"] = proxy.URL
	object := env.Resource(t, "posthog_survey")
	require.Empty(t, object.Apply(named(1)).Errors().Text())
	assert.NotEmpty(t, env.Journal())

	for _, wrong := range []string{`X: s3cr3t`, `{"Authorization": "s3cr3t-too"}`, `{"X Y": "s3cr3t-too"}`, `{"X": "s3cr3t\n"}`} {
		diags := env.Configure(t, map[string]any{}, map[string]string{"POSTHOG_HEADERS": wrong})
		require.Len(t, diags, 1, diags.Text())
		assert.Contains(t, diags.Text(), `AttributeName("headers"): Invalid header`)
		assert.NotContains(t, diags.Text(), "s3cr3t")
	}
	diags := env.Configure(t, map[string]any{"headers": map[string]any{"Content-Length": "s3cr3t-too"}}, nil)
	require.Len(t, diags, 1, diags.Text())
	assert.Contains(t, diags.Text(), `AttributeName("headers"): Invalid header: headers (POSTHOG_HEADERS): the header Content-Length cannot be set`)
	assert.NotContains(t, diags.Text(), "s3cr3t")
}
