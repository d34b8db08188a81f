package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// Surveys are the surveys of one project.
type Surveys struct {
	client    *Client
	projectID string
}

// Surveys returns the surveys of a project, whose id is a number as text, or
// "@current" for the project that the key's user has open.
func (c *Client) Surveys(projectID string) *Surveys {
	return &Surveys{client: c, projectID: projectID}
}

// List iterates over all surveys, including archived ones.
func (s *Surveys) List(ctx context.Context, o ListOptions) iter.Seq2[api.Survey, error] {
	return pages[api.Survey](ctx, s.client, "surveys_list", o, func() (*http.Request, error) {
		return api.NewSurveysListRequest(s.client.server, s.projectID, &api.SurveysListParams{Limit: o.limit()})
	})
}

// Create creates a survey. [IsUniqueName] reports whether its error is a name that is
// taken.
func (s *Surveys) Create(ctx context.Context, body api.SurveyRequest) (api.Survey, error) {
	req, err := api.NewSurveysCreateRequest(s.client.server, s.projectID, body)
	return object[api.Survey](s.client.do(ctx, "surveys_create", req, err))
}

// CreateOnce creates a survey and never a second one: when the response is lost, it looks
// for the survey by its name, which is unique in a project: for a minute at most, and then
// the request is sent once more, which the service refuses if the first one was carried
// out after all. Its errors are those of Create, an [AmbiguousCreateError], and a
// [ConflictError] for a name that is taken.
func (s *Surveys) CreateOnce(ctx context.Context, body api.SurveyRequest) (api.Survey, error) {
	name, _ := body.Name.Get()
	name = strings.TrimSpace(name) // as the service stores it
	return creation[api.Survey]{
		client: s.client, isConflict: IsUniqueName, lookupIsComplete: true, keyIsUnique: true, mayRepeat: true,
		post: func(ctx context.Context) (api.Survey, error) { return s.Create(ctx, body) },
		find: func(ctx context.Context) ([]api.Survey, time.Time, error) {
			return listMatching(ctx, s.client, "surveys_list", s.listRequest, func(one api.Survey) bool {
				foundName, err := one.Name.Get()
				return err == nil && one.ID != nil && strings.TrimSpace(foundName) == name
			})
		},
		isOurs: func(one api.Survey, since time.Time) bool {
			text, _ := one.CreatedAt.Get()
			createdAt, err := time.Parse(time.RFC3339Nano, text)
			return err == nil && !createdAt.Before(since) && matchesRequest(one, body, rewrittenFields)
		},
		id: func(one api.Survey) string { return *one.ID },
	}.run(ctx)
}

// Retrieve reads one survey.
func (s *Surveys) Retrieve(ctx context.Context, id string) (api.Survey, error) {
	return object[api.Survey](s.retrieve(ctx, id))
}

func (s *Surveys) retrieve(ctx context.Context, id string) (*response, error) {
	req, err := api.NewSurveysRetrieveRequest(s.client.server, s.projectID, id)
	return s.client.do(ctx, "surveys_retrieve", req, err)
}

// Read reads a survey, from a list if many are read: see [Options.SingleReads]. Use
// Retrieve for a survey that is about to be changed.
func (s *Surveys) Read(ctx context.Context, id string) (api.Survey, error) {
	return decoded(ctx, id, s.ReadRaw, s.Retrieve)
}

// ReadRaw is Read for a caller that may need no more than the bytes of the JSON object.
func (s *Surveys) ReadRaw(ctx context.Context, id string) (json.RawMessage, error) {
	single := func(ctx context.Context) (json.RawMessage, error) {
		return object[json.RawMessage](s.retrieve(ctx, id))
	}
	if s.client.singleReads {
		return single(ctx)
	}

	return s.client.surveys.of(s.projectID, source[string]{
		client: s.client, operation: "surveys_list", first: s.listRequest,
		id: func(raw json.RawMessage) (string, bool) {
			id, ok := idOf[string](raw)
			return s.key(id), ok
		},
	}).read(ctx, s.key(id), single)
}

// Change updates a survey by what is there: decide makes the fields to change of it, none if
// nothing is to be changed, or the error of a write that must not be made. It is called again
// before an attempt that follows a wait, since others may have changed the survey meanwhile; an
// earlier attempt that was carried out is no such change. The result is the survey as it is
// then.
func (s *Surveys) Change(ctx context.Context, id string, decide func(ctx context.Context, live api.Survey) (api.SurveyRequest, error)) (api.Survey, error) {
	return s.change(ctx, id, nil, decide)
}

// ChangeCreated is Change for a survey that the service has just returned: it is not read
// before the first attempt.
func (s *Surveys) ChangeCreated(ctx context.Context, created api.Survey, decide func(ctx context.Context, live api.Survey) (api.SurveyRequest, error)) (api.Survey, error) {
	return s.change(ctx, *created.ID, &created, decide)
}

func (s *Surveys) change(ctx context.Context, id string, seen *api.Survey, decide func(context.Context, api.Survey) (api.SurveyRequest, error)) (api.Survey, error) {
	defer s.client.surveys.writes.writing(s.key(id))()
	return change[api.Survey, api.SurveyRequest]{
		client: s.client, operation: "surveys_partial_update", decide: decide, seen: seen,
		retrieve: func(ctx context.Context) (*response, error) { return s.retrieve(ctx, id) },
		build: func(body api.SurveyRequest) (*http.Request, error) {
			return api.NewSurveysPartialUpdateRequest(s.client.server, s.projectID, id, body)
		},
	}.run(ctx)
}

// Remove deletes a survey for good, and its targeting flag with it, unless check returns an
// error for what is there. It is called again before an attempt that follows a wait.
func (s *Surveys) Remove(ctx context.Context, id string, check func(ctx context.Context, live api.Survey) error) error {
	defer s.client.surveys.writes.writing(s.key(id))()
	req, err := api.NewSurveysDestroyRequest(s.client.server, s.projectID, id)
	return removal[api.Survey]{
		client: s.client, operation: "surveys_destroy", check: check,
		retrieve: func(ctx context.Context) (*response, error) { return s.retrieve(ctx, id) },
	}.run(ctx, req, err)
}

// Update changes only the fields that the body has, whatever is there: [Surveys.Change] looks.
// null clears a field if the service allows it.
func (s *Surveys) Update(ctx context.Context, id string, body api.SurveyRequest) (api.Survey, error) {
	defer s.client.surveys.writes.writing(s.key(id))()
	req, err := api.NewSurveysPartialUpdateRequest(s.client.server, s.projectID, id, body)
	return object[api.Survey](s.client.do(ctx, "surveys_partial_update", req, err))
}

// Delete deletes a survey for good, whatever it has become: [Surveys.Remove] looks.
func (s *Surveys) Delete(ctx context.Context, id string) error {
	defer s.client.surveys.writes.writing(s.key(id))()
	req, err := api.NewSurveysDestroyRequest(s.client.server, s.projectID, id)
	return noContent(s.client.do(ctx, "surveys_destroy", req, err))
}

// CreatorAccessLevel is the user_access_level of a survey that was just created,
// unspecified if the service has none. The first call in a project reads the survey and
// returns it; later ones make no request and return nil.
func (s *Surveys) CreatorAccessLevel(ctx context.Context, id string) (nullable.Nullable[string], *api.Survey, error) {
	l := s.client.accessLevels.in(s.projectID)
	select {
	case l.lock <- struct{}{}:
		defer func() { <-l.lock }()
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}

	if l.found {
		return l.level, nil, nil
	}
	read, err := s.Retrieve(ctx, id)
	if err != nil {
		return nil, nil, err // the next create tries again
	}
	l.found, l.level = true, read.UserAccessLevel
	return l.level, &read, nil
}

// Activity is the newest part of the activity log of one survey, with at most limit
// entries (0 for the default of the service); nil when the response is empty.
func (s *Surveys) Activity(ctx context.Context, id string, limit int64) (json.RawMessage, error) {
	req, err := api.NewSurveysActivityRetrieveRequest(s.client.server, s.projectID, id, &api.SurveysActivityRetrieveParams{Limit: activityLimit(limit)})
	return rawJSON(s.client.do(ctx, "surveys_activity_retrieve", req, err))
}

// ActivityPage is a page of the activity log of one survey, from page 1, the newest; nil when
// the response is empty.
func (s *Surveys) ActivityPage(ctx context.Context, id string, page, size int64) (json.RawMessage, error) {
	req, err := api.NewSurveysActivityRetrieveRequest(s.client.server, s.projectID, id, &api.SurveysActivityRetrieveParams{Page: &page, Limit: &size})
	return rawJSON(s.client.do(ctx, "surveys_activity_retrieve", req, err))
}

// AllActivity is Activity for all surveys of the project, including deleted ones.
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

// ResponsesCount returns the numbers of responses by survey id, without surveys that have
// none; nil when the response is empty.
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

// listRequest is the request for the first page of a list.
func (s *Surveys) listRequest(limit int) (*http.Request, error) {
	return api.NewSurveysListRequest(s.client.server, s.projectID, &api.SurveysListParams{Limit: ListOptions{PageSize: limit}.limit()})
}

// key normalizes a UUID in one of the forms that the service accepts. An id may be any text
// of the configuration, even a pasted API key, which is not kept.
func (s *Surveys) key(id string) string {
	return strings.ToLower(strings.ReplaceAll(s.client.credential.hide(id), "-", ""))
}

// accessLevels are the levels that the API key has on the surveys it creates, by
// project. The service computes one from the key's user and the project, and puts it
// into the responses to reads alone: one read in a project serves all creates.
type accessLevels struct {
	mu        sync.Mutex
	byProject map[string]*accessLevel
}

// accessLevel is the level in one project; lock lets one create at a time find it out.
type accessLevel struct {
	lock  chan struct{}
	found bool
	level nullable.Nullable[string]
}

func (l *accessLevels) in(project string) *accessLevel {
	l.mu.Lock()
	defer l.mu.Unlock()

	level, ok := l.byProject[project]
	if !ok {
		level = &accessLevel{lock: make(chan struct{}, 1)}
		if l.byProject == nil {
			l.byProject = map[string]*accessLevel{}
		}
		l.byProject[project] = level
	}
	return level
}

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

// optInTimeout bounds a request that is made only for a warning.
const optInTimeout = 10 * time.Second

// surveysOptIns are the settings that enable surveys, by project.
type surveysOptIns struct {
	mu        sync.Mutex
	byProject map[string]func() optIn
}

// optIn is the setting of a project; known is false when it cannot be read.
type optIn struct{ on, known bool }

// SwitchedOn reports whether the project shows surveys at all, by its settings. Known is
// false if the service has no such setting, or the key may not read it. The first call for
// a project makes a request, whose failure is not an error; later calls make none.
func (s *Surveys) SwitchedOn(ctx context.Context) (on, known bool) {
	all := s.client.surveysOptIns
	all.mu.Lock()
	setting, ok := all.byProject[s.projectID]
	if !ok {
		setting = sync.OnceValue(func() optIn { return s.readOptIn(ctx) })
		all.byProject[s.projectID] = setting
	}
	all.mu.Unlock()

	read := setting()
	return read.on, read.known
}

func (s *Surveys) readOptIn(ctx context.Context) optIn {
	ctx, cancel := context.WithTimeout(bestEffort(ctx), optInTimeout)
	defer cancel()

	project, err := s.client.Project(ctx, s.projectID)
	if err != nil {
		tflog.Debug(ctx, "the settings of the project cannot be read", map[string]any{"project_id": s.projectID, "error": err.Error()})
		return optIn{}
	}

	// A null means that surveys were never switched on.
	on, _ := project.SurveysOptIn.Get()
	return optIn{on: on, known: project.SurveysOptIn.IsSpecified()}
}
