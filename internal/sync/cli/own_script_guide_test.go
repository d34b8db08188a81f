package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

var (
	guideUpdate  = regexp.MustCompile(`(?s)curl -X PATCH .*? -d '(\{.*?\})'\n`)
	guideCommand = regexp.MustCompile(`(?m)^posthog-sync (.+)$`)
)

// The guide says that the update of such scripts cuts off answers, and which commands replace
// it: both are so.
func TestGuideOfOwnScripts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../templates/guides/own_script.md.tmpl")
	require.NoError(t, err)
	const id = "0190d6a4-0000-7000-8000-000000000001"
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(`{"surveys":[
		{"project_id":1,"id":"` + id + `","name":"NPS","type":"popover","start_date":"2026-01-01T00:00:00Z"}]}`)})
	questions := func() []string {
		var ids []string
		for _, question := range srv.Surveys(srv.ProjectID)[0]["questions"].([]any) {
			ids = append(ids, question.(map[string]any)["id"].(string))
		}
		return ids
	}

	update := guideUpdate.FindSubmatch(text)
	require.NotNil(t, update)
	runScript := func() []string {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, srv.URL+"/api/projects/"+srv.ProjectID+"/surveys/"+id+"/", strings.NewReader(string(update[1])))
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer "+srv.APIKey)
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusOK, response.StatusCode)
		return questions()
	}
	first, second := runScript(), runScript()
	require.Len(t, first, 2)
	assert.NotContains(t, second, first[0], "no question keeps its id")
	assert.NotContains(t, second, first[1])

	dir := t.TempDir()
	var ran []string
	for _, command := range guideCommand.FindAllStringSubmatch(string(text), -1) {
		arguments := strings.Fields(command[1])
		ran = append(ran, arguments[0])
		switch arguments[0] {
		case "export":
			// Its plan needs a Terraform, which the script export_plan has.
			arguments = append(arguments[:1:1], dir)
		case "keys":
			arguments[len(arguments)-1] = filepath.Join(dir, arguments[len(arguments)-1])
		}
		code, _, stderr := commandLine(t, t.Context(), srv, arguments...)
		require.Equal(t, 0, code, "%v: %s", arguments, stderr)
	}
	assert.Equal(t, []string{"export", "keys", "keys"}, ran)
	assert.Equal(t, second, questions(), "the commands change nothing")
	written, err := os.ReadFile(filepath.Join(dir, ".env.surveys"))
	require.NoError(t, err)
	for _, value := range append(second, id) {
		assert.Contains(t, string(written), value)
	}

	// An edit in the web interface makes the file stale.
	runScript()
	code, _, _ := commandLine(t, t.Context(), srv, "keys", "--check", filepath.Join(dir, ".env.surveys"))
	assert.Equal(t, 2, code)
}
