package examples_test

import (
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// curl matches curl commands in a guide. Its groups are the method, the path, and the body.
var curl = regexp.MustCompile(`(?m)^curl(?: --retry \d+ --retry-connrefused)?(?: -X (\w+))? '?http://127\.0\.0\.1:8000([^\s']+)'?(?:(?: \\\n)? +-d (?:'([^']*)'|@(\S+)))?`)

// visited contains a survey that two persons have answered, so that no command has to wait for an answer.
const visited = `{
  "projects": [{"id": 1}],
  "surveys": [{"project_id": 1, "id": "0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17", "name": "NPS", "type": "popover", "start_date": "2026-01-01T00:00:00Z"}],
  "events": [
    {"project_id": 1, "survey_id": "0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17", "event": "survey sent", "at": "2026-01-02T00:00:00Z", "distinct_id": "anna", "properties": {}},
    {"project_id": 1, "survey_id": "0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17", "event": "survey sent", "at": "2026-01-02T00:00:00Z", "distinct_id": "ada", "properties": {}}
  ]
}`

// The server accepts all curl commands in the guides, in their order.
func TestGuidesOfTheControlPaths(t *testing.T) {
	t.Parallel()
	guides, err := filepath.Glob("../templates/guides/*.md.tmpl")
	require.NoError(t, err)
	found := 0
	for _, guide := range guides {
		calls := curl.FindAllStringSubmatch(read(t, guide), -1)
		if found += len(calls); len(calls) == 0 {
			continue
		}
		t.Run(filepath.Base(guide), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Fixtures(visited), func(o *testserver.Options) {
				o.Worlds = true
				o.Profile = testserver.Hosted
			})
			_, err := env.Server.World("checkout") // the guide assumes that a test has used this world
			require.NoError(t, err)

			store := ""
			for _, call := range calls {
				answer := callAsShown(t, env.URL, call, store)
				if strings.HasSuffix(call[2], "fixtures") && call[1] == "" {
					store = answer
				}
				if strings.Contains(call[2], "/events?") {
					assert.Contains(t, answer, `"survey sent"`, call[0])
				}
			}
		})
	}
	assert.Greater(t, found, 10)
}

// callAsShown sends the request of a guide's curl command, and returns the response. If the command reads the body
// from a file, callAsShown sends store instead.
func callAsShown(t *testing.T, server string, call []string, store string) string {
	t.Helper()
	method, body := call[1], call[3]
	if method == "" {
		method = http.MethodGet
	}
	if call[4] != "" {
		body = store
	}

	request, err := http.NewRequestWithContext(t.Context(), method, server+call[2], strings.NewReader(body))
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Less(t, response.StatusCode, 300, "%s: %s", call[0], text)
	return string(text)
}
