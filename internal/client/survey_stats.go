package client

import (
	"context"
	"encoding/json"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// Sent is how many responses the statistics of a survey have; not ok if they do not say.
// They begin with its start_date, or with its creation if it is a draft. Only the hosted
// service has this operation.
func (s *Surveys) Sent(ctx context.Context, id string) (sent int64, ok bool, err error) {
	return s.sent(ctx, id, api.SurveysStatsRetrieveParams{})
}

// SentBetween is Sent for the responses of a time. A zero time is no bound.
func (s *Surveys) SentBetween(ctx context.Context, id string, from, to time.Time) (sent int64, ok bool, err error) {
	return s.sent(ctx, id, between(from, to))
}

func (s *Surveys) sent(ctx context.Context, id string, asked api.SurveysStatsRetrieveParams) (sent int64, ok bool, err error) {
	stats, err := s.stats(ctx, id, asked)
	if err != nil || stats == nil {
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

// AnswersBetween are the numbers of answers to the questions that a survey has now, by their
// ids; nil if the statistics do not say. A zero time is no bound.
func (s *Surveys) AnswersBetween(ctx context.Context, id string, from, to time.Time) (map[string]int64, error) {
	asked := between(from, to)
	asked.IncludePerQuestionStats = new("true")
	stats, err := s.stats(ctx, id, asked)
	if err != nil || stats == nil {
		return nil, err
	}

	if stats.PerQuestionStats == nil {
		return nil, nil //nolint:nilnil // an older service has none
	}
	answers := map[string]int64{}
	for _, entry := range stats.PerQuestionStats {
		var id string
		var number int64
		if json.Unmarshal(entry["question_id"], &id) == nil && json.Unmarshal(entry["response_count"], &number) == nil && id != "" {
			answers[id] += number
		}
	}
	return answers, nil
}

// between are the parameters for the events of a time.
func between(from, to time.Time) api.SurveysStatsRetrieveParams {
	var asked api.SurveysStatsRetrieveParams
	for bound, at := range map[**string]time.Time{&asked.DateFrom: from, &asked.DateTo: to} {
		if !at.IsZero() {
			*bound = new(at.UTC().Format(time.RFC3339Nano))
		}
	}
	return asked
}

// stats are the statistics of a survey; nil when the response is empty.
func (s *Surveys) stats(ctx context.Context, id string, asked api.SurveysStatsRetrieveParams) (*api.SurveyStats, error) {
	req, err := api.NewSurveysStatsRetrieveRequest(s.client.server, s.projectID, id, &asked)
	a, err := s.client.do(ctx, "surveys_stats_retrieve", req, err)
	if err != nil || a.empty() {
		return nil, err
	}
	var stats api.SurveyStats
	return &stats, a.decode(&stats)
}
