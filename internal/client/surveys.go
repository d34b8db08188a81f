package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// Surveys are the surveys of one project.
type Surveys struct {
	client    *Client
	projectID string
}

// Surveys returns the surveys of a project, whose id is a number as text, or
// "@current" for the project that the key's user has open.
func (c *Client) Surveys(projectID string) *Surveys { return &Surveys{c, projectID} }

// List iterates over all surveys, archived ones too.
func (s *Surveys) List(ctx context.Context, o ListOptions) iter.Seq2[api.Survey, error] {
	return pages[api.Survey](ctx, s.client, "surveys_list", o, func() (*http.Request, error) {
		return api.NewSurveysListRequest(s.client.server, s.projectID, &api.SurveysListParams{Limit: o.limit()})
	})
}

// Create makes a survey. A name that is taken is an error that [IsUniqueName] knows.
func (s *Surveys) Create(ctx context.Context, body api.SurveyRequest) (api.Survey, error) {
	req, err := api.NewSurveysCreateRequest(s.client.server, s.projectID, body)
	return object[api.Survey](s.client.do(ctx, "surveys_create", req, err))
}

// Retrieve reads one survey.
func (s *Surveys) Retrieve(ctx context.Context, id string) (api.Survey, error) {
	req, err := api.NewSurveysRetrieveRequest(s.client.server, s.projectID, id)
	return object[api.Survey](s.client.do(ctx, "surveys_retrieve", req, err))
}

// Update changes the fields that the body has, and only those: null clears a field
// where the service lets it.
func (s *Surveys) Update(ctx context.Context, id string, body api.SurveyRequest) (api.Survey, error) {
	defer s.client.surveys.writes.writing(s.key(id))()
	req, err := api.NewSurveysPartialUpdateRequest(s.client.server, s.projectID, id, body)
	return object[api.Survey](s.client.do(ctx, "surveys_partial_update", req, err))
}

// Delete deletes a survey for good, and its targeting flag with it.
func (s *Surveys) Delete(ctx context.Context, id string) error {
	defer s.client.surveys.writes.writing(s.key(id))()
	req, err := api.NewSurveysDestroyRequest(s.client.server, s.projectID, id)
	return nothing(s.client.do(ctx, "surveys_destroy", req, err))
}

// Activity is the newest part of the activity log of one survey, with at most limit
// entries (0 for the default of the service); nil when the service answers nothing.
func (s *Surveys) Activity(ctx context.Context, id string, limit int64) (json.RawMessage, error) {
	req, err := api.NewSurveysActivityRetrieveRequest(s.client.server, s.projectID, id, &api.SurveysActivityRetrieveParams{Limit: activityLimit(limit)})
	return rawJSON(s.client.do(ctx, "surveys_activity_retrieve", req, err))
}

// AllActivity is Activity for all surveys of the project, deleted ones too.
func (s *Surveys) AllActivity(ctx context.Context, limit int64) (json.RawMessage, error) {
	req, err := api.NewSurveysAllActivityRetrieveRequest(s.client.server, s.projectID, &api.SurveysAllActivityRetrieveParams{Limit: activityLimit(limit)})
	return rawJSON(s.client.do(ctx, "surveys_all_activity_retrieve", req, err))
}

func activityLimit(limit int64) *int64 {
	if limit == 0 {
		return nil
	}
	return &limit
}

// ResponsesCount is the number of responses by survey id, without surveys that have
// none; nil when the service answers nothing.
func (s *Surveys) ResponsesCount(ctx context.Context) (map[string]int64, error) {
	req, err := api.NewSurveysResponsesCountRetrieveRequest(s.client.server, s.projectID, nil)
	a, err := s.client.do(ctx, "surveys_responses_count_retrieve", req, err)
	if err != nil || a.empty() {
		return nil, err
	}

	var counts map[string]int64
	err = a.decode(&counts)
	return counts, err
}
