package doctor_test

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// waitingClock advances only while someone waits.
type waitingClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *waitingClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *waitingClock) Sleep(_ context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return nil
}

func serviceOf(t *testing.T, srv *testserver.Instance, key string, traffic doctor.Traffic) doctor.Service {
	t.Helper()
	clock := &waitingClock{now: now}
	c, err := client.New(client.Options{BaseURL: srv.URL, APIKey: key, UserAgent: "test", Now: clock.Now, Sleep: clock.Sleep})
	require.NoError(t, err)
	return doctor.Service{
		Client: c, ProjectID: srv.ProjectID, OrganizationID: srv.OrganizationID, PageSize: 100, Traffic: func() doctor.Traffic { return traffic },
		Surveys: func(ctx context.Context) iter.Seq2[api.Survey, error] {
			return c.Surveys(srv.ProjectID).List(ctx, client.ListOptions{PageSize: 100})
		},
		Apps: func(ctx context.Context) iter.Seq2[api.PipelineImportApp, error] {
			return c.PipelineImportApps(srv.OrganizationID).List(ctx, client.ListOptions{PageSize: 100})
		},
	}
}

// results maps checks to findings: the result and the first words.
func results(findings []audience.Finding) map[string]string {
	byCheck := map[string]string{}
	for _, f := range findings {
		byCheck[f.Check] = string(f.Result) + ": " + f.Text
	}
	return byCheck
}

// With valid settings, every check succeeds, and nothing changes.
func TestServiceIsFine(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	before := srv.Dump()
	findings := doctor.CheckService(t.Context(), serviceOf(t, srv, srv.APIKey, doctor.Traffic{Date: now, At: now}))
	require.Len(t, findings, 12)
	for _, f := range findings {
		assert.Equal(t, audience.OK, f.Result, "%s: %s", f.Check, f.Text)
	}
	assert.Equal(t, before, srv.Dump())
}

// The checks find each wrong setting, and skip the checks that would fail for the same reason.
func TestServiceIsNot(t *testing.T) {
	t.Parallel()
	narrow := func(scopes string) string {
		return `{"api_keys": [{"key": "phx_narrow", "scopes": [` + scopes + `]}]}`
	}

	for name, c := range map[string]struct {
		fixtures string
		key      string
		profile  testserver.Profile
		change   func(*doctor.Service)
		traffic  doctor.Traffic
		want     map[string]string
		checks   int
	}{
		"key":     {key: "phx_other", want: map[string]string{"reachable": "ok: ", "key": "failed: 401 Unauthorized: "}, checks: 2},
		"project": {change: func(s *doctor.Service) { s.ProjectID = "999" }, want: map[string]string{"scope plugin:write": "ok: the key has it"}},
		"clock":   {traffic: doctor.Traffic{Date: now.Add(-time.Minute), At: now}, want: map[string]string{"clock": "warning: this machine's clock differs from PostHog's by 1m0s"}},
		"waits":   {traffic: doctor.Traffic{Throttled: 2, Date: now, At: now}, want: map[string]string{"throttle": "warning: PostHog asked 2 times to wait"}},
		"scopes": {
			fixtures: narrow(`"survey:read"`), key: "phx_narrow",
			want: map[string]string{
				"scope survey:read": "ok: the key has it", "scope survey:write": "failed: 403 Forbidden: ", "scope activity_log:read": "warning: 403 Forbidden: ",
				"organization": "failed: ", "scope plugin:read": "failed: 403 Forbidden: ", "scope plugin:write": "failed: 403 Forbidden: ",
			},
		},
		"a key that is limited to projects": {
			fixtures: `{"api_keys": [{"key": "phx_limited", "project_ids": [1]}]}`, key: "phx_limited", profile: testserver.Hosted,
			want: map[string]string{
				"scope survey:write": "ok: ", "scope plugin:read": "warning: unknown: the key is limited to projects", "scope plugin:write": "warning: unknown: the key is limited",
				"organization": "failed: 0192d3a4-5b6c-7d8e-8f90-a1b2c3d4e5f6 cannot be read: 403 Forbidden: API keys with scoped projects are only supported on project-based endpoints; the key is limited to projects",
			},
		},
		"without flags": {
			fixtures: narrow(`"survey:read", "survey:write", "plugin:read", "plugin:write", "activity_log:read"`), key: "phx_narrow", profile: testserver.Hosted,
			want: map[string]string{"scope feature_flag:read": "warning: 403 Forbidden: "},
		},
		"surveys switched off": {
			fixtures: `{"projects": [{"id": 1, "surveys_opt_in": false}], "api_keys": [{"key": "phx_any"}]}`, key: "phx_any", profile: testserver.Hosted,
			want: map[string]string{"surveys": "warning: they are switched off in project 1", "scope feature_flag:read": "ok: "},
		},
	} {

		options := testserver.Options{Profile: c.profile}
		if c.fixtures != "" {
			options.Fixtures = strings.NewReader(c.fixtures)
		}
		srv := testserver.Start(t, options)
		if c.key == "" {
			c.key = srv.APIKey
		}

		service := serviceOf(t, srv, c.key, c.traffic)
		if c.change != nil {
			c.change(&service)
		}

		found := results(doctor.CheckService(t.Context(), service))
		for check, want := range c.want {
			assert.True(t, strings.HasPrefix(found[check], want), "%s: %s: %s", name, check, found[check])
		}
		if c.checks > 0 {
			assert.Len(t, found, c.checks, name)
		}
	}
}

// If PostHog does not respond, or responds with an error, the checks report this once.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetFaults(testserver.Fault{Status: http.StatusBadGateway})
	findings := doctor.CheckService(t.Context(), serviceOf(t, srv, srv.APIKey, doctor.Traffic{Date: now, At: now}))
	require.Len(t, findings, 1)
	assert.Equal(t, audience.Failed, findings[0].Result)
}
