package reconcile_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// answered returns a survey as PostHog returns it.
func answered(t *testing.T, project, text string) source.Object {
	t.Helper()
	var wire api.Survey
	require.NoError(t, json.Unmarshal([]byte(text), &wire))
	o, err := source.FromSurvey(t.Context(), wire, project)
	require.NoError(t, err)
	return o
}

func plan(t *testing.T, desired, live []source.Object, o reconcile.Options) reconcile.Plan {
	t.Helper()
	o.ProjectID, o.MaxDeletes = "2", 5
	o.NewID = func() string { return "new" }
	p, err := reconcile.NewPlan(t.Context(), desired, live, o)
	require.NoError(t, err)
	return p
}

func body(t *testing.T, action reconcile.Action) string {
	t.Helper()
	raw, err := json.Marshal(action.SurveyRequest)
	require.NoError(t, err)
	return string(raw)
}

// An update sends only differences. It sends questions with B's IDs, and no dates.
func TestPlanIsMinimal(t *testing.T) {
	t.Parallel()
	a := answered(t, "1", `{"id": "a", "name": "NPS", "type": "popover", "description": null, "start_date": "2026-01-01T00:00:00Z", "end_date": null,
	  "appearance": {"position": "left", "color": null}, "questions": [{"id": "q9", "type": "open", "question": "New?"}, {"id": "q1", "type": "open", "question": "Why?"}]}`)
	b := answered(t, "2", `{"id": "b", "name": "NPS", "type": "popover", "description": "", "start_date": null, "end_date": "2026-02-01T00:00:00Z",
	  "appearance": {"position": "left"}, "questions": [{"id": "p1", "type": "open", "question": "Why?"}]}`)

	p := plan(t, []source.Object{a}, []source.Object{b}, reconcile.Options{})
	require.Len(t, p.Actions, 1)
	assert.JSONEq(t, `{"questions": [{"id": "q9", "type": "open", "question": "New?"}, {"id": "p1", "type": "open", "question": "Why?"}]}`, body(t, p.Actions[0]))
	assert.Equal(t, []reconcile.Attribute{
		{Path: "end_date", A: nil, B: "2026-02-01T00:00:00Z"}, {Path: "start_date", A: "2026-01-01T00:00:00Z", B: nil},
	}, p.Actions[0].Remaining)

	kept := plan(t, []source.Object{a}, []source.Object{b}, reconcile.Options{KeepSchedule: true})
	assert.Contains(t, body(t, kept.Actions[0]), `"start_date":"2026-01-01T00:00:00Z"`)
	assert.Contains(t, body(t, kept.Actions[0]), `"end_date":null`)

	same := plan(t, []source.Object{b}, []source.Object{b}, reconcile.Options{})
	assert.Empty(t, same.Actions)
	assert.Equal(t, 1, same.Same)
}

// A field that is missing from A's response stays unchanged in B.
func TestPlanLeavesWhatAServiceDoesNotKnow(t *testing.T) {
	t.Parallel()
	a := answered(t, "1", `{"id": "a", "name": "NPS", "type": "popover"}`)
	b := answered(t, "2", `{"id": "b", "name": "NPS", "type": "popover", "schedule": "always", "description": "x", "targeting_flag": {"id": 3, "key": "k"},
	  "questions": [{"id": "p1", "type": "open", "question": "Why?"}]}`)
	p := plan(t, []source.Object{a}, []source.Object{b}, reconcile.Options{})
	assert.Empty(t, p.Actions)
	assert.Equal(t, 1, p.Same)
}

// If surveys take each other's names, the plan renames them in an order in which every name is free.
func TestPlanOrdersNames(t *testing.T) {
	t.Parallel()
	survey := func(id, name string) source.Object {
		return answered(t, "2", `{"id": "`+id+`", "name": "`+name+`", "type": "popover"}`)
	}
	for name, c := range map[string]struct{ desired, live []source.Object }{
		"chain": {[]source.Object{survey("1", "B"), survey("2", "C"), survey("3", "D")}, []source.Object{survey("1", "A"), survey("2", "B"), survey("3", "C")}},
		"swap":  {[]source.Object{survey("1", "B"), survey("2", "A")}, []source.Object{survey("1", "A"), survey("2", "B")}},
		"circle and chain": {
			[]source.Object{survey("1", "B"), survey("2", "C"), survey("3", "A"), survey("4", "E"), survey("5", "F")},
			[]source.Object{survey("1", "A"), survey("2", "B"), survey("3", "C"), survey("4", "D"), survey("5", "E")},
		},
		"deleted": {[]source.Object{survey("1", "B")}, []source.Object{survey("1", "A"), survey("2", "B")}},
		"created": {[]source.Object{survey("1", "B"), survey("9", "A")}, []source.Object{survey("1", "A")}},
	} {
		p := plan(t, c.desired, c.live, reconcile.Options{Match: reconcile.ByID, SameProject: true, Delete: reconcile.DeleteWithResponses})
		names := map[string]string{}
		for _, one := range c.live {
			names[one.ID] = one.Name
		}
		for _, action := range p.Actions {
			require.Equal(t, reconcile.Planned, action.Outcome, "%s: %s", name, action.Reason)
			id, wanted := action.ID, ""
			if id == "" {
				id = "new"
			}
			if action.Verb == reconcile.Delete {
				delete(names, id)
				continue
			}
			wanted = action.SurveyRequest.Name.MustGet()
			for other, taken := range names {
				assert.False(t, other != id && taken == wanted, "%s: %s is taken when %s needs it", name, wanted, id)
			}
			names[id] = wanted
		}
		for _, one := range c.desired {
			assert.Contains(t, names, map[bool]string{true: "new", false: one.ID}[one.ID == "9"])
		}
		again := plan(t, c.desired, c.live, reconcile.Options{Match: reconcile.ByID, SameProject: true, Delete: reconcile.DeleteWithResponses})
		assert.Equal(t, p, again, "%s: the same sources must produce the same plan", name)
	}

	// A name that another survey keeps causes a refusal.
	p := plan(t, []source.Object{survey("1", "B")}, []source.Object{survey("1", "A"), survey("2", "B")}, reconcile.Options{Match: reconcile.ByID, SameProject: true})
	require.Len(t, p.Actions, 1)
	assert.Equal(t, reconcile.Refused, p.Actions[0].Outcome)
	assert.Equal(t, `survey 2 has the name "B" and keeps it`, p.Actions[0].Reason)
}

// Every edit changes the fingerprint, but values that PostHog computes do not.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	base := `"id": "a", "name": "NPS", "type": "popover", "questions": [{"id": "q", "type": "open", "question": "Why?"}]`
	before := reconcile.Fingerprint(answered(t, "1", `{`+base+`}`))
	for _, same := range []string{
		`"description": ""`, `"archived": false`, `"conditions": null`, `"linked_flag": null`, `"user_access_level": "editor"`, `"current_iteration": 2`,
	} {
		assert.Equal(t, before, reconcile.Fingerprint(answered(t, "1", `{`+base+`, `+same+`}`)), same)
	}
	for _, other := range []string{
		`"description": "x"`, `"archived": true`, `"start_date": "2026-01-01T00:00:00Z"`, `"linked_flag_id": 3`, `"appearance": {"position": "left"}`,
		`"targeting_flag": {"id": 1, "key": "survey-targeting-x", "filters": {"groups": []}}`,
	} {
		assert.NotEqual(t, before, reconcile.Fingerprint(answered(t, "1", `{`+base+`, `+other+`}`)), other)
	}
}

// All secret defaults print as the same text, but a changed secret still counts as an edit. Reports print the
// fingerprint, so readers must not be able to guess values from it.
func TestFingerprintOfSecretDefaults(t *testing.T) {
	t.Parallel()
	fingerprint := func(schema string) string {
		var wire api.PipelineImportApp
		require.NoError(t, json.Unmarshal([]byte(`{"id": 7, "name": "Tickets", "config_schema": `+schema+`}`), &wire))
		o, err := source.FromApp(t.Context(), wire, "o")
		require.NoError(t, err)
		assert.NotContains(t, fmt.Sprint(o), "first")
		return reconcile.Fingerprint(o)
	}

	before := fingerprint(`[{"key": "pw", "secret": true, "default": "first"}]`)
	assert.Equal(t, before, fingerprint(`[{"default": "first", "secret": true, "key": "pw"}]`))
	for _, other := range []string{
		`[{"key": "pw", "secret": true, "default": "second"}]`, `[{"key": "pw", "secret": true}]`, `[{"key": "pw", "secret": true, "default": ["first"]}]`,
		`[{"key": "pw", "secret": true, "default": "(sensitive value)"}]`, `{"pw": {"secret": true, "default": "first"}}`,
	} {
		assert.NotEqual(t, before, fingerprint(other), other)
	}

	plain := `{"attributes":{"config_schema":[{"default":"first","key":"pw","secret":true}],"name":"Tickets"},"id":"7","kind":"pipeline_import_app"}`
	sum := sha256.Sum256([]byte(plain))
	assert.NotEqual(t, "sha256:"+hex.EncodeToString(sum[:]), before)
}
