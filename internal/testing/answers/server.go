package answers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Server is a test server for adapters, which contains at most one survey. Each save and each response
// happens an hour after the previous one.
type Server struct {
	*testserver.Instance
	// IsHosted is true in the hosted profile, which receives responses as apps send them.
	IsHosted bool

	now       time.Time
	responses int
}

// NewServer deletes the survey of the previous sequence and returns the server.
func NewServer(instance *testserver.Instance, profile testserver.Profile) *Server {
	s := &Server{Instance: instance, IsHosted: profile == testserver.Hosted, now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	if id := s.SurveyID(); id != "" {
		instance.DeleteSurvey(id)
	}
	s.pass()
	return s
}

func (s *Server) pass() {
	s.now = s.now.Add(time.Hour)
	s.SetClock(s.now)
}

// SurveyID returns the ID of the survey.
func (s *Server) SurveyID() string {
	for _, survey := range s.Surveys(s.ProjectID) {
		return fmt.Sprint(survey["id"])
	}
	return ""
}

// HasState implements [Adapter].
func (s *Server) HasState() bool { return true }

// Save implements [Adapter].
func (s *Server) Save(t *rapid.T, questions []Question) {
	t.Helper()
	s.pass()
	wire := []any{}
	for _, q := range questions {
		wire = append(wire, q.Wire())
	}
	s.send(t, http.MethodPatch, "/api/projects/"+s.ProjectID+"/surveys/"+s.SurveyID()+"/", map[string]any{"questions": wire})
}

// Held implements [Adapter].
func (s *Server) Held(*rapid.T) []Question {
	var list []Question
	for _, survey := range s.Surveys(s.ProjectID) {
		questions, _ := survey["questions"].([]any)
		for _, question := range questions {
			fields, _ := question.(map[string]any)
			list = append(list, FromFields(fields))
		}
	}
	return list
}

// Answer implements [Adapter].
func (s *Server) Answer(t *rapid.T, ids []string) {
	t.Helper()
	s.pass()
	s.responses++
	if !s.IsHosted {
		s.AddResponses(s.SurveyID(), 1)
		return
	}

	properties := map[string]any{"token": "phc_test", "$survey_id": s.SurveyID(), "$survey_completed": true}
	for _, id := range ids {
		properties["$survey_response_"+id] = "because"
	}
	s.send(t, http.MethodPost, "/e/", map[string]any{
		"api_key": "phc_test", "event": "survey sent", "distinct_id": fmt.Sprint("respondent ", s.responses), "properties": properties,
	})
}

func (s *Server) send(t *rapid.T, method, path string, body any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.APIKey)
	request.Header.Set("Content-Type", "application/json")

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		t.Fatalf("%s %s: %s\n%s", method, path, response.Status, text)
	}
}
