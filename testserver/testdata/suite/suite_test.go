// Package suite shows how the report of the test server fails a suite whose tests are all
// green: the program under test sends questions without their ids, and cuts answers off.
package suite

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// TestMain fails the run for what no test of it looks at.
func TestMain(m *testing.M) {
	code := m.Run()
	report := testserver.Report()
	fmt.Print(report)
	if code == 0 && len(report.CutAnswers) > 0 {
		code = 1
	}
	os.Exit(code)
}

// addQuestion is the program under test: it adds a question, and forgets the ids of those
// that there are.
func addQuestion(srv *testserver.Instance, id string) error {
	questions := `{"questions": [{"type": "open", "question": "Why?"}, {"type": "open", "question": "What else?"}]}`
	request, err := http.NewRequest(http.MethodPatch, srv.URL+"/api/projects/"+srv.ProjectID+"/surveys/"+id+"/", strings.NewReader(questions))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+srv.APIKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the service answered %s", response.Status)
	}
	return nil
}

func TestAddQuestion(t *testing.T) {
	srv := testserver.Start(t)
	srv.SetFixtures(`{
		"surveys": [{"project_id": 1, "id": "019b0000-0000-7000-8000-000000000001", "name": "NPS", "type": "popover",
			"questions": [{"id": "why", "type": "open", "question": "Why?"}]}],
		"responses": [{"survey_id": "019b0000-0000-7000-8000-000000000001", "count": 42, "at": "2026-01-01T12:00:00Z"}]
	}`)

	if err := addQuestion(srv, "019b0000-0000-7000-8000-000000000001"); err != nil {
		t.Fatal(err)
	}

	questions, _ := srv.Survey("019b0000-0000-7000-8000-000000000001")["questions"].([]any)
	if len(questions) != 2 {
		t.Errorf("there are %d questions, want 2", len(questions))
	}
}
