package client

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// operation is a client call and the HTTP request that the call must send.
type operation struct {
	id           string
	call         func(context.Context, *Client) (any, error)
	method, path string
	query, body  string
	response     http.HandlerFunc
	want         any
}

var (
	surveyBody = api.SurveyRequest{
		Name:        nullable.NewNullableWithValue("NPS <2026>"),
		Description: nullable.NewNullNullable[string](),
	}
	appBody = api.PipelineImportAppRequest{
		Name:     nullable.NewNullableWithValue("GeoIP"),
		IsGlobal: nullable.NewNullNullable[bool](),
	}
	empty = respondAs(http.StatusOK, "text/html; charset=utf-8", "")
	none  = json.RawMessage(nil)
)

func surveyOperations() []operation {
	const surveys = "/api/projects/1/surveys/"
	one := `{"id":"` + surveyID + `","name":"NPS"}`

	survey := func(s api.Survey, err error) (any, error) {
		name, _ := s.Name.Get()
		return name + " " + deref(s.ID), err
	}

	return []operation{
		{id: "surveys_list", method: "GET", path: surveys, query: "limit=2",
			call: func(ctx context.Context, c *Client) (any, error) {
				all, err := collect(c.Surveys("1").List(ctx, ListOptions{PageSize: 2}))
				return len(all), err
			},
			response: respondJSON(200, `{"count":1,"next":null,"previous":null,"results":[`+one+`]}`), want: 1},
		{id: "surveys_create", method: "POST", path: surveys, body: `{"name":"NPS <2026>","description":null}`,
			call: func(ctx context.Context, c *Client) (any, error) {
				return survey(c.Surveys("1").Create(ctx, surveyBody))
			},
			response: respondJSON(201, one), want: "NPS " + surveyID},
		{id: "surveys_retrieve", method: "GET", path: surveys + surveyID + "/",
			call: func(ctx context.Context, c *Client) (any, error) {
				return survey(c.Surveys("1").Retrieve(ctx, surveyID))
			},
			response: respondJSON(200, one), want: "NPS " + surveyID},
		{id: "surveys_partial_update", method: "PATCH", path: surveys + surveyID + "/", body: `{"name":"NPS <2026>","description":null}`,
			call: func(ctx context.Context, c *Client) (any, error) {
				return survey(c.Surveys("1").Update(ctx, surveyID, surveyBody))
			},
			response: respondJSON(200, one), want: "NPS " + surveyID},
		{id: "surveys_destroy", method: "DELETE", path: surveys + surveyID + "/",
			call: func(ctx context.Context, c *Client) (any, error) {
				return nil, c.Surveys("1").Delete(ctx, surveyID)
			},
			response: respondAs(204, "", "")},
		{id: "surveys_activity_retrieve", method: "GET", path: surveys + surveyID + "/activity/",
			call: func(ctx context.Context, c *Client) (any, error) {
				return c.Surveys("1").Activity(ctx, surveyID, 0)
			},
			response: empty, want: none},
		{id: "surveys_all_activity_retrieve", method: "GET", path: surveys + "activity/",
			call: func(ctx context.Context, c *Client) (any, error) {
				return c.Surveys("1").AllActivity(ctx, 0)
			},
			response: respondJSON(200, `{"results":[1.50]}`), want: json.RawMessage(`{"results":[1.50]}`)},
		{id: "surveys_responses_count_retrieve", method: "GET", path: surveys + "responses_count/",
			call: func(ctx context.Context, c *Client) (any, error) {
				return c.Surveys("1").ResponsesCount(ctx)
			},
			response: respondJSON(200, `{"a":9007199254740993}`), want: map[string]int64{"a": 9007199254740993}},
	}
}

func appOperations() []operation {
	const apps = "/api/organizations/" + orgID + "/pipeline_import_apps/"
	one := `{"id":9007199254740993,"name":"GeoIP"}`

	app := func(a api.PipelineImportApp, err error) (any, error) { return deref(a.ID), err }

	return []operation{
		{id: "pipeline_import_apps_list", method: "GET", path: apps,
			call: func(ctx context.Context, c *Client) (any, error) {
				all, err := collect(c.PipelineImportApps(orgID).List(ctx, ListOptions{}))
				return len(all), err
			},
			response: respondJSON(200, `{"count":1,"next":null,"previous":null,"results":[`+one+`]}`), want: 1},
		{id: "pipeline_import_apps_create", method: "POST", path: apps, body: `{"name":"GeoIP","is_global":null}`,
			call: func(ctx context.Context, c *Client) (any, error) {
				return app(c.PipelineImportApps(orgID).Create(ctx, appBody))
			},
			response: respondJSON(201, one), want: int64(9007199254740993)},
		{id: "pipeline_import_apps_retrieve", method: "GET", path: apps + "9007199254740993/",
			call: func(ctx context.Context, c *Client) (any, error) {
				return app(c.PipelineImportApps(orgID).Retrieve(ctx, 9007199254740993))
			},
			response: respondJSON(200, one), want: int64(9007199254740993)},
		{id: "pipeline_import_apps_partial_update", method: "PATCH", path: apps + "7/", body: `{"name":"GeoIP","is_global":null}`,
			call: func(ctx context.Context, c *Client) (any, error) {
				return app(c.PipelineImportApps(orgID).Update(ctx, 7, appBody))
			},
			response: respondJSON(200, one), want: int64(9007199254740993)},
		{id: "pipeline_import_apps_destroy", method: "DELETE", path: apps + "7/",
			call: func(ctx context.Context, c *Client) (any, error) {
				return nil, c.PipelineImportApps(orgID).Delete(ctx, 7)
			},
			response: respondAs(204, "", "")},
	}
}

// appActions are the operations whose documented responses are empty.
func appActions() []operation {
	const apps = "/api/organizations/" + orgID + "/pipeline_import_apps/"

	raw := func(id, method, path string, response http.HandlerFunc, want json.RawMessage, call func(context.Context, *PipelineImportApps) (json.RawMessage, error)) operation {
		return operation{id: id, method: method, path: apps + path, response: response, want: want,
			call: func(ctx context.Context, c *Client) (any, error) { return call(ctx, c.PipelineImportApps(orgID)) }}
	}

	updateSource := raw("pipeline_import_apps_update_source_partial_update", "PATCH", "7/update_source/", empty, none,
		func(ctx context.Context, p *PipelineImportApps) (json.RawMessage, error) {
			return p.UpdateSource(ctx, 7, json.RawMessage(`{"index.ts":"","old.ts":null}`))
		})
	updateSource.body = `{"index.ts":"","old.ts":null}`

	upgrade := raw("pipeline_import_apps_upgrade_create", "POST", "7/upgrade/", respondJSON(200, `{"id":7}`), json.RawMessage(`{"id":7}`),
		func(ctx context.Context, p *PipelineImportApps) (json.RawMessage, error) {
			return p.Upgrade(ctx, 7, api.PipelineImportAppRequest{})
		})
	upgrade.body = `{}`

	return []operation{updateSource, upgrade,
		raw("pipeline_import_apps_check_for_updates_retrieve", "GET", "7/check_for_updates/", respondJSON(200, `{"plugin":null}`), json.RawMessage(`{"plugin":null}`),
			func(ctx context.Context, p *PipelineImportApps) (json.RawMessage, error) {
				return p.CheckForUpdates(ctx, 7)
			}),
		raw("pipeline_import_apps_source_retrieve", "GET", "7/source/", empty, none,
			func(ctx context.Context, p *PipelineImportApps) (json.RawMessage, error) { return p.Source(ctx, 7) }),
		raw("pipeline_import_apps_all_activity_retrieve", "GET", "activity/", empty, none,
			func(ctx context.Context, p *PipelineImportApps) (json.RawMessage, error) {
				return p.AllActivity(ctx, 0)
			}),
		raw("pipeline_import_apps_exports_unsubscribe_configs_retrieve", "GET", "exports_unsubscribe_configs/", empty, none,
			func(ctx context.Context, p *PipelineImportApps) (json.RawMessage, error) {
				return p.ExportsUnsubscribeConfigs(ctx)
			}),
		raw("pipeline_import_apps_repository_retrieve", "GET", "repository/", respondJSON(200, `null`), json.RawMessage(`null`),
			func(ctx context.Context, p *PipelineImportApps) (json.RawMessage, error) { return p.Repository(ctx) }),
		raw("pipeline_import_apps_unused_retrieve", "GET", "unused/", respondJSON(200, `[3, 1]`), json.RawMessage(`[3, 1]`),
			func(ctx context.Context, p *PipelineImportApps) (json.RawMessage, error) { return p.UnusedIDs(ctx) }),
	}
}

// Each operation of the contract sends one request with this method, path, query, body, and headers.
func TestOperations(t *testing.T) {
	t.Parallel()

	operations := slices.Concat(surveyOperations(), appOperations(), appActions())

	var tested, contract []string
	for _, o := range operations {
		tested = append(tested, o.id)

		for name, slash := range map[string]string{"no slash": "", "slash": "/"} {
			t.Run(o.id+"/"+name, func(t *testing.T) {
				t.Parallel()

				s := serve(t, o.response)
				got, err := o.call(t.Context(), s.client(func(p *Options) { p.BaseURL += slash }))
				require.NoError(t, err)
				assert.Equal(t, o.want, got)

				r := s.requests()
				require.Len(t, r, 1)
				assert.Equal(t, []string{o.method, o.path, o.query}, []string{r[0].method, r[0].path, r[0].query})
				checkBody(t, o.body, r[0])

				assert.Equal(t, "Bearer "+testKey, r[0].header.Get("Authorization"))
				assert.Equal(t, userAgent, r[0].header.Get("User-Agent"))
				assert.Equal(t, "application/json", r[0].header.Get("Accept"))
			})
		}
	}

	for _, o := range api.Operations() {
		contract = append(contract, o.ID)
	}

	slices.Sort(tested)
	slices.Sort(contract)
	assert.Equal(t, contract, tested)
}

// A field that is absent, null, or set is encoded in three different ways in a request.
func checkBody(t *testing.T, want string, r request) {
	t.Helper()
	if want == "" {
		assert.Empty(t, r.body)
		assert.Empty(t, r.header.Get("Content-Type"))
		return
	}
	assert.JSONEq(t, want, r.body)
	assert.Equal(t, "application/json", r.header.Get("Content-Type"))
}

func TestUpdateSourceNeedsJSON(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, body := range []string{"", "export default 1", "{"} {
		_, err := s.client().PipelineImportApps(orgID).UpdateSource(t.Context(), 7, json.RawMessage(body))
		assert.ErrorContains(t, err, "not JSON")
	}
	assert.Empty(t, s.requests())
}

// collect reads a list until its end or its first error.
func collect[T any](list func(func(T, error) bool)) ([]T, error) {
	var all []T
	for item, err := range list {
		if err != nil {
			return all, err
		}
		all = append(all, item)
	}
	return all, nil
}

func deref[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}
