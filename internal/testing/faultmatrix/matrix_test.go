// Package faultmatrix tests how the whole provider reacts to PostHog failures: each fault with each operation, and
// long runs under the rate limits. The tests check results that users see: the exit code, the messages, and the
// remaining objects. Package client tests the retries of a single request. This package contains only tests, and no
// package imports it.
package faultmatrix

import (
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// cell is the combination of a fault and an operation.
type cell struct {
	noun
	t      *testing.T
	env    *acctest.Env
	object *acctest.Resource
	// config is the configuration of the current run. id is the ID to import.
	config map[string]any
	id     string
	listed []any
}

// Every fault is combined with every operation. Each run ends as expected, and reports everything that the user must
// know. PostHog contains exactly the objects in the state and the objects that the run reported. After the fault,
// following the error's instructions repairs everything.
func TestMatrix(t *testing.T) {
	t.Parallel()
	cells := 0
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		for _, n := range nouns {
			for _, f := range faults {
				for _, op := range operations {
					for _, lasting := range []bool{false, true} {
						end := f.ending(n, op, lasting)
						if end == "" || lasting && profile == testserver.Hosted && !f.works {
							continue // if PostHog carries out nothing, the profiles don't differ
						}
						// A fifth of the cells still contains every fault and every operation.
						if cells++; testing.Short() && cells%5 > 0 {
							continue
						}

						how := map[bool]string{false: "once", true: "lasting"}[lasting]
						t.Run(fmt.Sprintf("%s/%s/%s/%s/%s", profile, n.wire, op.name, f.name, how), func(t *testing.T) {
							t.Parallel()
							c := &cell{noun: n, config: n.config}

							if !f.slow {
								c.env = acctest.Start(t, acctest.Profile(profile))
								c.run(t, f, op, lasting, end)
								return
							}

							c.env = acctest.Start(t, acctest.Profile(profile), acctest.Clock(time.Now))
							c.env.UseSynctest()
							synctest.Test(t, func(t *testing.T) { c.run(t, f, op, lasting, end) })
						})
					}
				}
			}
		}
	}
}

// run runs the operation with the fault, and then again without it.
func (c *cell) run(t *testing.T, f fault, op operation, lasting bool, end ending) {
	t.Helper()
	c.t, c.object = t, c.env.Resource(t, c.typeName)
	if op.prepare != nil {
		op.prepare(t, c)
	}

	f.inject(c, op, lasting)
	diags := op.do(c)
	if f.slow {
		// PostHog finishes its work before the checks, even if the client has not waited.
		<-time.After(time.Duration(f.rule.DelayMS) * time.Millisecond)
		synctest.Wait()
	}

	require.Equal(t, end == stopped, diags.HasError(), diags.Text())
	c.checkTexts(t, op, diags.Errors())
	c.checkObjects(t, op, diags)
	if f.isNoOp && c.object.Exists() {
		plan := c.planned(t)
		assert.True(t, c.object.IsEmpty(plan), "the plan is not empty: %v", plan.Attributes(t))
	}

	c.env.SetFaults()
	most := 1
	if end == through && op.writes && !f.edit {
		most = 0 // the work is done
	}
	c.recover(t, op, diags, most)
}

// checkObjects compares the server with the state. There is at most one object, and an object that is missing from
// the state was reported.
func (c *cell) checkObjects(t *testing.T, op operation, diags acctest.Diagnostics) {
	t.Helper()
	there := c.ids(c.env)
	require.LessOrEqual(t, len(there), 1, "PostHog must not have a duplicate")

	own := ""
	if c.object.Exists() {
		own = fmt.Sprint(c.object.State("id"))
	}

	text := diags.Text()
	switch {
	case op.name == "list" && !diags.HasError():
		assert.Len(t, c.listed, 1)
	case op.name == "read" && own == "":
		assert.Contains(t, text, "no longer exists")
	}

	for _, id := range there {
		if id != own && c.id == "" {
			assert.True(t, strings.Contains(text, id) || strings.Contains(text, objectName) && advice(text) != "", "the diagnostics do not mention object %s:\n%s", id, text)
		}
	}
	if own != "" && !slices.Contains(there, own) {
		assert.True(t, diags.HasError(), "%s no longer exists, but the state still contains it after %s", own, op.name)
	}
}

// recover does what the user does after PostHog works again.
func (c *cell) recover(t *testing.T, op operation, diags acctest.Diagnostics, most int) {
	t.Helper()
	c.env.NextRun(t, c.object)

	switch op.name {
	case "list":
		require.Empty(t, op.do(c).Errors().Text())
		assert.Len(t, c.listed, 1)
		return
	case "delete":
		if c.object.Exists() {
			require.Empty(t, c.object.Refresh().Errors().Text())
		}
		if c.object.Exists() {
			require.Empty(t, c.object.Destroy().Errors().Text())
		}
		assert.Empty(t, c.ids(c.env))
		return
	case "import":
		if len(c.ids(c.env)) == 0 {
			assert.False(t, c.object.Exists())
			return
		}
		if !c.object.Exists() {
			require.Empty(t, c.object.Import(c.id).Errors().Text())
		}
	}

	c.converge(t, diags, most)
	assert.Equal(t, []string{fmt.Sprint(c.object.State("id"))}, c.ids(c.env))

	require.Empty(t, c.object.Destroy().Errors().Text())
	assert.Empty(t, c.ids(c.env))
}

// converge follows the instructions of the last error and runs again, until nothing is left to do. It needs
// at most the given number of runs, and one more if an object must be imported.
func (c *cell) converge(t *testing.T, diags acctest.Diagnostics, most int) {
	t.Helper()
	for runs := 0; ; runs++ {
		c.follow(t, diags.Errors().Text())
		plan := c.planned(t)
		if c.object.IsEmpty(plan) {
			return
		}

		if strings.Contains(diags.Text(), "import {") {
			most++
		}
		require.Less(t, runs, most, "planned %v", plan.Attributes(t))
		diags = c.object.ApplyPlan(plan)
	}
}

// planned returns the plan of the next run.
func (c *cell) planned(t *testing.T) acctest.Plan {
	t.Helper()
	c.env.NextRun(t, c.object)
	if c.object.Exists() {
		require.Empty(t, c.object.Refresh().Errors().Text())
	}
	plan := c.object.Plan(c.config)
	require.Empty(t, plan.Diagnostics.Errors().Text())
	return plan
}

// rawError matches errors of Go and its libraries, which don't help users.
var rawError = regexp.MustCompile(`dial tcp|[a-z]+ "https?:|context (deadline|canceled)|unexpected EOF|: EOF|invalid character|cannot unmarshal|connection reset by|net/http:|%!|<nil>|goroutine`)

// checkTexts checks that every error contains the operation, the object, and the next step.
func (c *cell) checkTexts(t *testing.T, op operation, errs acctest.Diagnostics) {
	t.Helper()
	for _, one := range errs {
		text := one.Summary + "\n" + one.Detail
		assert.Regexp(t, "^(Could not "+op.name+"|The "+op.name+" would fail:) (survey|pipeline import app)", one.Summary)
		assert.True(t, strings.Contains(text, objectName) || strings.Contains(text, op.about(c)), text)
		assert.NotRegexp(t, rawError, text)
		assert.NotEmpty(t, advice(text), text)
	}
}

// nextSteps matches the instructions in errors.
var nextSteps = regexp.MustCompile(`(?i)the same command|import (it|the existing object)|use another name|check (that|the|in|whether|base_url)|use an api key|change the configuration|run terraform plan`)

// advice returns the instructions in an error, or "" if there are none.
func advice(text string) string { return nextSteps.FindString(text) }

// importID matches the ID in a suggested import block.
var importID = regexp.MustCompile(`(?s)import \{.*?id = "([^"]+)"`)

// follow carries out the instructions of an error, except running the same command again.
func (c *cell) follow(t *testing.T, text string) {
	t.Helper()
	found := importID.FindStringSubmatch(text)
	switch {
	case c.object.Exists():
	case found != nil:
		require.Empty(t, c.object.Import(found[1]).Errors().Text())
	case strings.Contains(text, "First check in PostHog"):
		for _, id := range c.ids(c.env) {
			c.remove(c.env, id)
		}
	}
}

// The tests produce a lot of garbage but keep little memory, so the garbage collector runs less often.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
