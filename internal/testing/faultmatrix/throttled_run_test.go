package faultmatrix

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// throttled is a run with more objects than the number of requests that PostHog allows in two windows.
type throttled struct {
	typeName string
	objects  int
	throttle testserver.Throttle
	config   func(i, version int) map[string]any
	onServer func(*testing.T, *acctest.Env) []map[string]any
}

var throttledRuns = []throttled{{
	typeName: "posthog_survey", objects: 1000, throttle: testserver.Throttle{Requests: 480, PerSeconds: 60},
	config: func(i, version int) map[string]any {
		return map[string]any{"name": fmt.Sprintf("Survey %d", i), "type": "api", "responses_limit": version}
	},
	onServer: func(t *testing.T, env *acctest.Env) []map[string]any { t.Helper(); return env.Surveys(t) },
}, {
	typeName: "posthog_pipeline_import_app", objects: 100, throttle: testserver.Throttle{Requests: 48, PerSeconds: 60},
	config: func(i, version int) map[string]any {
		return map[string]any{"name": fmt.Sprintf("App %d", i), "description": fmt.Sprint(version), "capabilities": `{"scheduled_tasks":["runEveryMinute"]}`}
	},
	onServer: func(t *testing.T, env *acctest.Env) []map[string]any { t.Helper(); return env.Apps(t) },
}}

// Throttled updates and destroys need one read and one write for each object, plus at most a tenth.
func TestThrottledWritesTakeFewRequests(t *testing.T) {
	t.Parallel()
	const objects = 40
	throttle := testserver.Throttle{Requests: 8, PerSeconds: 5}
	for _, c := range throttledRuns {
		t.Run(c.typeName, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Clock(time.Now))
			env.UseSynctest()
			synctest.Test(t, func(t *testing.T) {
				all := env.Resources(t, c.typeName, objects)
				apply := func(version int) {
					plan := all[0].Plan(c.config(0, version))
					acctest.Each(all, func(i int, o *acctest.Resource) { assert.Empty(t, o.ApplyLike(plan, c.config(i, version)).Text()) })
				}
				apply(1)

				for _, write := range []func(){
					func() { apply(2) },
					func() { acctest.Each(all, func(_ int, o *acctest.Resource) { assert.Empty(t, o.Destroy().Text()) }) },
				} {
					env.NextRun(t, all...)
					env.SetFaults(testserver.Fault{Throttle: &throttle})
					env.ResetJournal()
					start := time.Now()
					write()
					assert.LessOrEqual(t, len(env.Journal()), objects*22/10)
					assert.LessOrEqual(t, time.Since(start), objects*2*5*time.Second/8*13/10)
				}
				assert.Empty(t, c.onServer(t, env))
			})
		})
	}
}

// Objects are created, refreshed, planned, updated, and destroyed, ten at a time. All operations succeed, every
// object exists once, no wait is longer than PostHog requested, and PostHog refuses few requests, because after one
// refusal all requests wait.
func TestThrottledRun(t *testing.T) {
	t.Parallel()
	for _, c := range throttledRuns {
		t.Run(c.typeName, func(t *testing.T) {
			t.Parallel()
			if testing.Short() { // the same number of windows with fewer requests
				c.objects, c.throttle.Requests = c.objects/4, c.throttle.Requests/4
			}
			env := acctest.Start(t, acctest.Clock(time.Now))
			env.UseSynctest()
			env.SetFaults(testserver.Fault{Throttle: &c.throttle})
			synctest.Test(t, func(t *testing.T) { c.run(t, env) })
		})
	}
}

func (c throttled) run(t *testing.T, env *acctest.Env) {
	t.Helper()
	objects := env.Resources(t, c.typeName, c.objects)
	apply := func(version int) {
		plan := objects[0].Plan(c.config(0, version))
		c.phase(t, env, objects, func(i int, o *acctest.Resource) acctest.Diagnostics { return o.ApplyLike(plan, c.config(i, version)) })
		c.checkObjects(t, env, objects)
	}

	apply(1)
	env.NextRun(t, objects...)
	c.phase(t, env, objects, func(_ int, o *acctest.Resource) acctest.Diagnostics { return o.Refresh() })
	for i := 0; i < len(objects); i += 50 {
		plan := objects[i].Plan(c.config(i, 1))
		assert.True(t, objects[i].IsEmpty(plan), plan.Diagnostics.Text())
	}

	apply(2)
	c.phase(t, env, objects, func(_ int, o *acctest.Resource) acctest.Diagnostics { return o.Destroy() })
	assert.Empty(t, c.onServer(t, env))
}

// checkObjects compares the server's objects with the objects in the state.
func (c throttled) checkObjects(t *testing.T, env *acctest.Env, objects []*acctest.Resource) {
	t.Helper()
	ids := map[string]bool{}
	for _, o := range objects {
		ids[fmt.Sprint(o.State("id"))] = true
	}
	assert.Len(t, ids, len(objects), "each resource must have its own object")

	there := c.onServer(t, env)
	assert.Len(t, there, len(objects))
	for _, one := range there {
		assert.True(t, ids[fmt.Sprint(one["id"])], "%v is not in any state", one)
	}
}

// phase carries out an operation for all objects, and checks the number of requests and the time.
func (c throttled) phase(t *testing.T, env *acctest.Env, objects []*acctest.Resource, do func(int, *acctest.Resource) acctest.Diagnostics) {
	t.Helper()
	env.ResetJournal()
	start := time.Now()
	acctest.Each(objects, func(i int, o *acctest.Resource) {
		diags := do(i, o)
		assert.Empty(t, diags.Text())
	})

	refused := 0
	for _, request := range env.Journal() {
		if request.Status == http.StatusTooManyRequests {
			refused++
		}
	}
	served := len(env.Journal()) - refused

	// The window of the previous phase may be full when this phase begins.
	windows := served/c.throttle.Requests + 1
	assert.LessOrEqual(t, refused, windows*10, "%d served", served)
	window := time.Duration(c.throttle.PerSeconds) * time.Second
	assert.LessOrEqual(t, time.Since(start), time.Duration(windows)*window*13/10, "%d served", served)
	t.Logf("%d served, %d refused, %s", served, refused, time.Since(start))
}
