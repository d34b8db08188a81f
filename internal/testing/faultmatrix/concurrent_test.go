package faultmatrix

import (
	"fmt"
	"maps"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Many objects are created, ten at a time. Every second create fails in a way from which a single run recovers. A
// create that searches for its object never finds another create's object.
func TestFaultsAmongMany(t *testing.T) {
	t.Parallel()
	const objects = 30
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		for _, n := range nouns {
			t.Run(string(profile)+" "+n.wire, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile), acctest.Clock(time.Now))
				env.UseSynctest()
				env.SetFaults(everySecond(objects, "drop after", "429, text")...)
				synctest.Test(t, func(t *testing.T) { n.createMany(t, env, objects) })
			})
		}
	}
}

func (n noun) createMany(t *testing.T, env *acctest.Env, objects int) {
	t.Helper()
	all := env.Resources(t, n.typeName, objects)
	named := func(i int) map[string]any {
		config := maps.Clone(n.config)
		config["name"] = fmt.Sprint(objectName, " ", i)
		return config
	}

	plan := all[0].Plan(named(0))
	acctest.Each(all, func(i int, o *acctest.Resource) { assert.Empty(t, o.ApplyLike(plan, named(i)).Errors().Text()) })

	there := map[any]any{}
	for _, one := range n.onServer(env) {
		there[one["name"]] = fmt.Sprint(one["id"])
	}

	assert.Len(t, n.ids(env), objects)
	for i, o := range all {
		assert.Equal(t, there[named(i)["name"]], fmt.Sprint(o.State("id")), "the state of resource %d must contain its own object", i)
	}
}

// everySecond returns rules that apply the faults in turn to every second create.
func everySecond(most int, names ...string) []testserver.Fault {
	var rules []testserver.Fault
	for i := 1; i <= most; i += 2 {
		rule := once(names[len(rules)%len(names)], "")
		rule.Method, rule.From, rule.To = http.MethodPost, i, i
		rules = append(rules, rule)
	}
	return rules
}

// If the response to a create cannot be decoded, Terraform stores the survey as tainted, so that it replaces the
// survey.
func TestUnreadableAnswerToACreate(t *testing.T) {
	t.Parallel()
	env, n := acctest.Start(t), nouns[0]
	id := n.createOutside(t, env)
	env.SetFaults(testserver.Fault{Method: http.MethodPost, To: 1, Status: http.StatusCreated, Body: testserver.Object{
		"id": id, "name": objectName, "questions": []any{"Why?"},
	}})

	survey := env.Resource(t, n.typeName)
	diags := survey.Apply(n.config)
	require.True(t, diags.HasError())
	assert.Equal(t, id, survey.State("id"))

	env.NextRun(t, survey)
	require.Empty(t, survey.Apply(n.config).Errors().Text())
	assert.NotEqual(t, id, survey.State("id"))
	assert.Len(t, n.ids(env), 1)
}
