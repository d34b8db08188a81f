// Package suite shows how the test server's report fails a suite whose tests all pass. The program under
// test sends questions without their IDs, which detaches answers.
package suite

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// TestMain fails the run for problems that no test checks.
func TestMain(m *testing.M) { os.Exit(testserver.Run(m, testserver.Options{})) }

// addQuestion is the program under test. It adds a question and omits the IDs of existing questions.
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
		return fmt.Errorf("the server responded with %s", response.Status)
	}
	return nil
}

func TestAddQuestion(t *testing.T) {
	t.Parallel()
	srv := testserver.WorldOf(t)
	id, _ := srv.CreateSurvey(testserver.Object{
		"name": "NPS", "type": "popover", "questions": []any{testserver.Object{"id": "why", "type": "open", "question": "Why?"}},
	})["id"].(string)
	srv.AddResponses(id, 42)

	if err := addQuestion(srv, id); err != nil {
		t.Fatal(err)
	}

	questions, _ := srv.Survey(id)["questions"].([]any)
	if len(questions) != 2 {
		t.Errorf("got %d questions, want 2", len(questions))
	}
}

// A separate world contains no objects of other tests.
func TestOther(t *testing.T) {
	t.Parallel()
	srv := testserver.WorldOf(t)
	if surveys := srv.Surveys(srv.ProjectID); len(surveys) != 0 {
		t.Errorf("got %d surveys, want 0", len(surveys))
	}
}
