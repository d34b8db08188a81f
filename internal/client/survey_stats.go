package client

import (
	"context"
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// Sent is how many responses the statistics of a survey have; not ok if they do not say.
// They begin with its start_date, or with its creation if it is a draft. Only the hosted
// service has this operation.
func (s *Surveys) Sent(ctx context.Context, id string) (sent int64, ok bool, err error) {
	req, err := api.NewSurveysStatsRetrieveRequest(s.client.server, s.projectID, id, nil)
	a, err := s.client.do(ctx, "surveys_stats_retrieve", req, err)
	if err != nil || a.empty() {
		return 0, false, err
	}

	var stats api.SurveyStats
	if err := a.decode(&stats); err != nil {
		return 0, false, err
	}
	// Statistics of another shape say as little as none.
	var event struct {
		Total *int64 `json:"total_count"`
	}
	isRead := json.Unmarshal(stats.Stats["survey sent"], &event) == nil
	if !isRead || event.Total == nil {
		return 0, false, nil
	}
	return *event.Total, true, nil
}
