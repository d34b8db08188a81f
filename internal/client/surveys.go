package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// Surveys accesses the surveys of one project.
type Surveys struct {
	objects[api.Survey, api.SurveyRequest, string]
}

// Surveys returns the surveys of a project. The ID is a number as text, or "@current" for the
// current project of the key's user.
func (c *Client) Surveys(projectID string) *Surveys {
	return &Surveys{objects[api.Survey, api.SurveyRequest, string]{client: c, send: c.do, parent: projectID, kind: surveys, known: c.surveys, key: c.surveyKey}}
}

var surveys = kind[api.SurveyRequest, string]{
	noun: "surveys", create: api.NewSurveysCreateRequest, retrieve: api.NewSurveysRetrieveRequest,
	update: api.NewSurveysPartialUpdateRequest, destroy: api.NewSurveysDestroyRequest,
	list: func(server, project string, limit *api.Limit) (*http.Request, error) {
		return api.NewSurveysListRequest(server, project, &api.SurveysListParams{Limit: limit})
	},
}

// surveyKey normalizes a UUID in one of the forms that PostHog accepts. In a configuration, the ID may be any text,
// even a pasted API key, so other texts are not kept.
func (c *Client) surveyKey(id string) string {
	return strings.ToLower(strings.ReplaceAll(c.credential.hide(id), "-", ""))
}

// CreateOnce creates at most one survey. If the response is lost, it searches for the survey by its
// name, which is unique in a project, for at most a minute. Then it repeats the request once, which
// PostHog rejects if it carried out the first one after all. CreateOnce returns the errors of
// Create, an [AmbiguousCreateError], or a [ConflictError] if the name is taken.
func (s *Surveys) CreateOnce(ctx context.Context, body api.SurveyRequest) (api.Survey, error) {
	name, _ := body.Name.Get()
	name = strings.TrimSpace(name) // as PostHog stores it
	return creation[api.Survey]{
		client: s.client, call: s.call(ctx, "create"), isConflict: IsUniqueName, lookupIsComplete: true, keyIsUnique: true, mayRepeat: true,
		post: func(ctx context.Context) (api.Survey, error) { return s.Create(ctx, body) },
		find: func(ctx context.Context, until time.Time) ([]api.Survey, time.Time, error) {
			return s.listMatching(ctx, s.call(ctx, "list").until(until), func(candidate api.Survey) bool {
				foundName, err := candidate.Name.Get()
				return err == nil && candidate.ID != nil && strings.TrimSpace(foundName) == name
			})
		},
		isOurs: func(candidate api.Survey, since time.Time) bool {
			text, _ := candidate.CreatedAt.Get()
			createdAt, err := time.Parse(time.RFC3339Nano, text)
			return err == nil && !createdAt.Before(since) && matchesRequest(candidate, body, rewrittenFields)
		},
		id: func(candidate api.Survey) string { return *candidate.ID },
	}.run(ctx)
}

// CreatorAccessLevel returns the user_access_level of a survey that was just created, or an
// unspecified value if PostHog has none. The first call in a project reads the survey and returns
// it. Later calls send no request and return nil.
func (s *Surveys) CreatorAccessLevel(ctx context.Context, id string) (nullable.Nullable[string], *api.Survey, error) {
	var read *api.Survey
	level, err := s.client.accessLevels.get(ctx, s.parent, func() (nullable.Nullable[string], error) {
		survey, err := s.Retrieve(ctx, id)
		if err == nil {
			read = &survey
		}
		return survey.UserAccessLevel, err
	})
	return level, read, err
}

// Activity returns the newest part of one survey's activity log, with at most limit entries. 0
// means PostHog's default. It returns nil if the response is empty.
func (s *Surveys) Activity(ctx context.Context, id string, limit int64) (json.RawMessage, error) {
	req, err := api.NewSurveysActivityRetrieveRequest(s.client.server, s.parent, id, &api.SurveysActivityRetrieveParams{Limit: activityLimit(limit)})
	return rawJSON(s.do(ctx, "activity_retrieve", req, err))
}

// ActivityPage returns a page of one survey's activity log. Page 1 is the newest. It returns nil if
// the response is empty.
func (s *Surveys) ActivityPage(ctx context.Context, id string, page, size int64) (json.RawMessage, error) {
	req, err := api.NewSurveysActivityRetrieveRequest(s.client.server, s.parent, id, &api.SurveysActivityRetrieveParams{Page: &page, Limit: &size})
	return rawJSON(s.do(ctx, "activity_retrieve", req, err))
}

// AllActivity is like Activity, but covers all of the project's surveys, including deleted ones.
func (s *Surveys) AllActivity(ctx context.Context, limit int64) (json.RawMessage, error) {
	req, err := api.NewSurveysAllActivityRetrieveRequest(s.client.server, s.parent, &api.SurveysAllActivityRetrieveParams{Limit: activityLimit(limit)})
	return rawJSON(s.do(ctx, "all_activity_retrieve", req, err))
}

func activityLimit(limit int64) *int64 {
	if limit == 0 {
		return nil
	}
	return &limit
}

// ResponsesCount returns the response counts by survey ID, without surveys that have no responses. It
// returns nil if the response is empty.
func (s *Surveys) ResponsesCount(ctx context.Context) (map[string]int64, error) {
	req, err := api.NewSurveysResponsesCountRetrieveRequest(s.client.server, s.parent, nil)
	a, err := s.do(ctx, "responses_count_retrieve", req, err)
	if err != nil || a.empty() {
		return nil, err
	}

	var counts map[string]int64
	err = a.decode(&counts)
	return counts, err
}

// ResponseCount returns the number of responses in a survey's statistics. ok is false if they do not
// contain it. The statistics start at the survey's start_date, or at its creation if it is a draft.
// Only PostHog itself has this operation, not the API document.
func (s *Surveys) ResponseCount(ctx context.Context, id string) (count int64, ok bool, err error) {
	return s.responseCount(ctx, id, api.SurveysStatsRetrieveParams{})
}

// ResponseCountBetween is [Surveys.ResponseCount] for a period. A zero time means no limit.
func (s *Surveys) ResponseCountBetween(ctx context.Context, id string, start, end time.Time) (count int64, ok bool, err error) {
	return s.responseCount(ctx, id, between(start, end))
}

func (s *Surveys) responseCount(ctx context.Context, id string, params api.SurveysStatsRetrieveParams) (count int64, ok bool, err error) {
	stats, err := s.stats(ctx, id, params)
	if err != nil || stats == nil {
		return 0, false, err
	}
	return totalOf(stats)
}

// TotalResponseCount returns the number of responses until a time to all surveys of the project that are not archived. A
// zero time means no limit. ok is false if PostHog does not return it. Only PostHog itself has this operation, not the API
// document.
func (s *Surveys) TotalResponseCount(ctx context.Context, until time.Time) (count int64, ok bool, err error) {
	params := &api.SurveysAllStatsRetrieveParams{DateTo: between(time.Time{}, until).DateTo}
	req, err := api.NewSurveysAllStatsRetrieveRequest(s.client.server, s.parent, params)
	a, err := s.do(ctx, "all_stats_retrieve", req, err)
	if err != nil || a.empty() {
		return 0, false, err
	}
	var stats api.SurveyStats
	if err := a.decode(&stats); err != nil {
		return 0, false, err
	}
	return totalOf(&stats)
}

// totalOf returns the number of responses in statistics.
func totalOf(stats *api.SurveyStats) (count int64, ok bool, err error) {
	// Treat statistics with another structure as missing.
	var event struct {
		Total *int64 `json:"total_count"`
	}
	isRead := json.Unmarshal(stats.Stats["survey sent"], &event) == nil
	if !isRead || event.Total == nil {
		return 0, false, nil
	}
	return *event.Total, true, nil
}

// AnswersBetween returns the answer counts by current question ID, or nil if the statistics do not
// contain them. A zero time means no limit. The statistics do not count answers that are lists, so a
// multiple-choice question without counted answers is omitted, because it may have some.
func (s *Surveys) AnswersBetween(ctx context.Context, id string, start, end time.Time) (map[string]int64, error) {
	params := between(start, end)
	params.IncludePerQuestionStats = new("true")
	stats, err := s.stats(ctx, id, params)
	if err != nil || stats == nil {
		return nil, err
	}

	if stats.PerQuestionStats == nil {
		return nil, nil //nolint:nilnil // an older service has none
	}
	answers := map[string]int64{}
	for _, entry := range stats.PerQuestionStats {
		var id, kind string
		var number int64
		if json.Unmarshal(entry["question_id"], &id) != nil || json.Unmarshal(entry["response_count"], &number) != nil || id == "" {
			continue
		}
		_ = json.Unmarshal(entry["question_type"], &kind) // an older server may omit it
		if number > 0 || kind != "multiple_choice" {
			answers[id] += number
		}
	}
	return answers, nil
}

// between returns the parameters for events in a period.
func between(start, end time.Time) api.SurveysStatsRetrieveParams {
	var params api.SurveysStatsRetrieveParams
	for bound, t := range map[**string]time.Time{&params.DateFrom: start, &params.DateTo: end} {
		if !t.IsZero() {
			*bound = new(t.UTC().Format(time.RFC3339Nano))
		}
	}
	return params
}

// stats returns a survey's statistics, or nil if the response is empty.
func (s *Surveys) stats(ctx context.Context, id string, params api.SurveysStatsRetrieveParams) (*api.SurveyStats, error) {
	req, err := api.NewSurveysStatsRetrieveRequest(s.client.server, s.parent, id, &params)
	a, err := s.do(ctx, "stats_retrieve", req, err)
	if err != nil || a.empty() {
		return nil, err
	}
	var stats api.SurveyStats
	return &stats, a.decode(&stats)
}

// optInTimeout limits a request that only a warning needs.
const optInTimeout = 10 * time.Second

// optIn is a project's setting. known is false if the setting cannot be read.
type optIn struct{ on, known bool }

// SwitchedOn reports whether the project's settings let it show surveys. known is false if PostHog
// does not return the setting, or if the key may not read it. The first call for a project sends a
// request. If the request fails, SwitchedOn returns no error. Later calls send none.
func (s *Surveys) SwitchedOn(ctx context.Context) (on, known bool) {
	read, err := s.client.surveysOptIns.get(ctx, s.parent, func() (optIn, error) { return s.readOptInSetting(ctx), nil })
	return read.on, err == nil && read.known
}

func (s *Surveys) readOptInSetting(ctx context.Context) optIn {
	ctx, cancel := context.WithTimeout(ctx, optInTimeout)
	defer cancel()

	req, err := api.NewProjectsRetrieveRequest(s.client.server, s.parent)
	project, err := object[api.Project](s.client.do(ctx, newCall(ctx, "projects_retrieve").optional(), req, err))
	if err != nil {
		tflog.Debug(ctx, "could not read the settings of the project", map[string]any{"project_id": s.parent, "error": err.Error()})
		return optIn{}
	}

	// A null means that surveys were never switched on.
	isOn, _ := project.SurveysOptIn.Get()
	return optIn{on: isOn, known: project.SurveysOptIn.IsSpecified()}
}

// FlagOptions configure the requests that list feature flags.
type FlagOptions struct {
	ListOptions
	// Search selects flags whose key or name contains this text. Empty selects all.
	Search string
}

// FeatureFlags iterates over a project's feature flags, without deleted ones. If the server does not
// have this operation, [IsEndpointNotFound] is true for the error.
func (c *Client) FeatureFlags(ctx context.Context, projectID string, o FlagOptions) iter.Seq2[api.FeatureFlagDetail, error] {
	return pages[api.FeatureFlagDetail](ctx, c.do, newCall(ctx, "feature_flags_list"), o.ListOptions, func() (*http.Request, error) {
		params := api.FeatureFlagsListParams{Limit: o.limit()}
		if o.Search != "" {
			params.Search = &o.Search
		}
		return api.NewFeatureFlagsListRequest(c.server, projectID, &params)
	})
}

// FeatureFlag reads a feature flag, even a deleted one.
func (c *Client) FeatureFlag(ctx context.Context, projectID string, id int64) (api.FeatureFlagDetail, error) {
	req, err := api.NewFeatureFlagsRetrieveRequest(c.server, projectID, id)
	return object[api.FeatureFlagDetail](c.do(ctx, newCall(ctx, "feature_flags_retrieve"), req, err))
}

// Cohort reads one of a project's cohorts. If the server does not have this operation,
// [IsEndpointNotFound] is true for the error.
func (c *Client) Cohort(ctx context.Context, projectID string, id int64) (api.Cohort, error) {
	req, err := api.NewCohortsRetrieveRequest(c.server, projectID, id)
	return object[api.Cohort](c.do(ctx, newCall(ctx, "cohorts_retrieve"), req, err))
}

// Project reads a project. If the server does not have this operation, [IsEndpointNotFound] is true
// for the error.
func (c *Client) Project(ctx context.Context, id string) (api.Project, error) {
	req, err := api.NewProjectsRetrieveRequest(c.server, id)
	return object[api.Project](c.do(ctx, newCall(ctx, "projects_retrieve"), req, err))
}
