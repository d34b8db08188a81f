package client

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// of returns a test server's client.
func of(t *testing.T, i *testserver.Instance) *Client {
	t.Helper()
	c, err := New(Options{BaseURL: i.URL, APIKey: i.APIKey, UserAgent: userAgent})
	require.NoError(t, err)
	return c
}

func draft(name string) api.SurveyRequest {
	return api.SurveyRequest{
		Name: nullable.NewNullableWithValue(name),
		Type: nullable.NewNullableWithValue(api.SurveyType("popover")),
	}
}

// The client and the test server agree on every operation of the contract.
func TestConformance(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := of(t, srv)
	useSurveys(t, c.Surveys(srv.ProjectID))
	useApps(t, c.PipelineImportApps(srv.OrganizationID))

	var used, contract []string
	for _, r := range srv.Journal() {
		assert.Less(t, r.Status, 300, "%s %s", r.Method, r.Path)
		used = append(used, r.Operation)
	}
	for _, o := range api.Operations() {
		contract = append(contract, o.ID)
	}
	slices.Sort(used)
	slices.Sort(contract)
	assert.Equal(t, contract, slices.Compact(used))
}

func useSurveys(t *testing.T, surveys *Surveys) {
	t.Helper()
	ctx := t.Context()
	var ids []string
	for i := range 5 {
		body := draft(fmt.Sprint("survey ", i))
		body.Description = nullable.NewNullableWithValue("before")
		s, err := surveys.Create(ctx, body)
		require.NoError(t, err)
		ids = append(ids, *s.ID)
	}
	all, err := collect(surveys.List(ctx, ListOptions{PageSize: 2}))
	require.NoError(t, err)
	var listed []string
	for _, s := range all {
		listed = append(listed, *s.ID)
	}
	assert.ElementsMatch(t, ids, listed)

	_, err = surveys.Update(ctx, ids[0], api.SurveyRequest{Archived: nullable.NewNullableWithValue(true)})
	require.NoError(t, err)
	s, err := surveys.Retrieve(ctx, ids[0])
	require.NoError(t, err)
	assert.Equal(t, nullable.NewNullableWithValue(true), s.Archived)
	assert.Equal(t, nullable.NewNullableWithValue("before"), s.Description, "an update without a field must keep its value")

	for _, call := range []func() (json.RawMessage, error){
		func() (json.RawMessage, error) { return surveys.Activity(ctx, ids[0], 0) },
		func() (json.RawMessage, error) { return surveys.AllActivity(ctx, 0) },
	} {
		body, err := call()
		require.NoError(t, err)
		assert.Nil(t, body, "the documented response does not have a body")
	}
	_, err = surveys.ResponsesCount(ctx)
	require.NoError(t, err)
	require.NoError(t, surveys.Delete(ctx, ids[0]))
}

func useApps(t *testing.T, apps *PipelineImportApps) {
	t.Helper()
	ctx := t.Context()
	body := api.PipelineImportAppRequest{
		Name:       nullable.NewNullableWithValue("Importer"),
		PluginType: nullable.NewNullableWithValue(api.Source),
	}
	app, err := apps.Create(ctx, body)
	require.NoError(t, err)
	id := *app.ID
	_, err = apps.Update(ctx, id, api.PipelineImportAppRequest{Description: nullable.NewNullableWithValue("after")})
	require.NoError(t, err)
	app, err = apps.Retrieve(ctx, id)
	require.NoError(t, err)
	assert.Equal(t, nullable.NewNullableWithValue("Importer"), app.Name)
	assert.Equal(t, nullable.NewNullableWithValue("after"), app.Description)
	all, err := collect(apps.List(ctx, ListOptions{PageSize: 1}))
	require.NoError(t, err)
	assert.Len(t, all, 1)

	for _, call := range []func() (json.RawMessage, error){
		func() (json.RawMessage, error) { return apps.CheckForUpdates(ctx, id) },
		func() (json.RawMessage, error) { return apps.Source(ctx, id) },
		func() (json.RawMessage, error) { return apps.UpdateSource(ctx, id, json.RawMessage(`{"tag":"v2"}`)) },
		func() (json.RawMessage, error) { return apps.Upgrade(ctx, id, body) },
		func() (json.RawMessage, error) { return apps.AllActivity(ctx, 0) },
		func() (json.RawMessage, error) { return apps.ExportsUnsubscribeConfigs(ctx) },
		func() (json.RawMessage, error) { return apps.Repository(ctx) },
		func() (json.RawMessage, error) { return apps.UnusedIDs(ctx) },
	} {
		body, err := call()
		require.NoError(t, err)
		assert.Nil(t, body, "the documented response does not have a body")
	}
	require.NoError(t, apps.Delete(ctx, id))
}

// The predicates classify every error that the test server returns.
func TestConformanceOfRefusals(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := of(t, srv)
	ctx := t.Context()
	retrieve := func(c *Client, project string) error {
		_, err := c.Surveys(project).Retrieve(ctx, surveyID)
		return err
	}
	assert.True(t, IsNotFound(retrieve(c, srv.ProjectID)))
	assert.True(t, IsParentNotFound(retrieve(c, "999")))
	_, err := c.PipelineImportApps("no such").Retrieve(ctx, 1)
	assert.True(t, IsParentNotFound(err), "%v", err)
	_, err = c.PipelineImportApps(srv.OrganizationID).Retrieve(ctx, 999)
	assert.True(t, IsNotFound(err), "%v", err)

	stranger, err := New(Options{BaseURL: srv.URL, APIKey: "phx_unknown"})
	require.NoError(t, err)
	assert.True(t, IsUnauthorized(retrieve(stranger, srv.ProjectID)))

	_, err = c.Surveys(srv.ProjectID).Create(ctx, draft("one"))
	require.NoError(t, err)
	_, err = c.Surveys(srv.ProjectID).Create(ctx, draft("one"))
	assert.True(t, IsUniqueName(err), "%v", err)
	_, err = c.Surveys(srv.ProjectID).Create(ctx, api.SurveyRequest{})
	assert.True(t, IsValidation(err), "%v", err)
	assert.False(t, IsUniqueName(err))

	srv.SetFaults(testserver.Fault{Status: 403})
	assert.True(t, IsForbidden(retrieve(c, srv.ProjectID)))
}

// Each fault that the test server injects into a connection is reported accurately, and only a throttled request is
// sent again.
func TestConformanceOfFaults(t *testing.T) {
	t.Parallel()

	cut := 10

	for name, f := range map[string]struct {
		fault testserver.Fault
		want  string
	}{
		"page":        {testserver.Fault{HTML: true}, "an HTML page"},
		"cut off":     {testserver.Fault{CutBody: &cut}, "was cut off after 10 of "},
		"drop before": {testserver.Fault{Drop: "before"}, "broke before a response came"},
		"drop after":  {testserver.Fault{Drop: "after"}, "broke before a response came"},
		"gateway":     {testserver.Fault{Status: 502, HTML: true}, "502 Bad Gateway: the response is an HTML page"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			srv := testserver.Start(t)
			srv.SetFaults(f.fault)

			_, err := of(t, srv).Surveys(srv.ProjectID).Create(t.Context(), draft("one"))
			assert.ErrorContains(t, err, f.want)
			assert.Len(t, srv.Journal(), 1)
		})
	}

	srv := testserver.Start(t)
	srv.SetFaults(testserver.Fault{To: 2, RetryAfter: "7"})
	c := of(t, srv)
	k := stop(c)

	_, err := c.Surveys(srv.ProjectID).Create(t.Context(), draft("one"))
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{7 * time.Second, 7 * time.Second}, k.waits)
	assert.Len(t, srv.Journal(), 3)
}
