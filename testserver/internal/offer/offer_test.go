package offer_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/evaluation"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/offer"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func flag(filters string) *evaluation.Flag {
	return evaluation.NewFlag(evaluation.Definition{ID: 1, Key: "f", Active: true, Filters: rawjson.MustCompact([]byte(filters))})
}

// Each way in which a flag can be off for somebody has words that say what to look at.
func TestWordsOfFlags(t *testing.T) {
	t.Parallel()
	deleted, off, devices := flag(`{"groups":[{}]}`), flag(`{"groups":[{}]}`), flag(`{"groups":[{}]}`)
	deleted.Deleted, off.Active, devices.ByDevice = true, false, true

	const this = `targeting: the targeting does not choose this person `
	for want, f := range map[string]*evaluation.Flag{
		`targeting: feature flag "f" is deleted: link another one`:                                                        deleted,
		`targeting: feature flag "f" is switched off: switch it on`:                                                       off,
		`targeting: feature flag "f" is rolled out to 0 %: raise rollout_percentage`:                                      flag(`{"groups":[{"rollout_percentage":0}]}`),
		`targeting: feature flag "f" has no condition that anybody could meet`:                                            flag(`{"groups":[]}`),
		`targeting: feature flag "f" asks for a flag that does not exist, or for itself`:                                  flag(`{"groups":[{"properties":[{"key":"1","type":"flag","operator":"flag_evaluates_to","value":true}]}]}`),
		this + `(it spreads devices, and no device is known)`:                                                             devices,
		this + `(it is rolled out to 0.0001 %, and this person stands at 75.5385 %)`:                                      flag(`{"groups":[{"rollout_percentage":0.0001}]}`),
		this + `(it is for groups of type "company", and this person has none)`:                                           flag(`{"aggregation_group_type_index":0,"groups":[{}]}`),
		this + `(it is for groups, and this person has none)`:                                                             flag(`{"groups":[{"aggregation_group_type_index":7}]}`),
		this + `("plan" is "pro": asked for is exact "free")`:                                                             flag(`{"groups":[{"properties":[{"key":"plan","value":"free"}]}]}`),
		this + `("plan" is "pro": asked for is is_not_set)`:                                                               flag(`{"groups":[{"properties":[{"key":"plan","operator":"is_not_set","value":"is_not_set"}]}]}`),
		this + `("age" is not set: asked for is gt "18")`:                                                                 flag(`{"groups":[{"properties":[{"key":"age","operator":"gt","value":"18"}]}]}`),
		this + `("distinct_id" is "anna": asked for is exact "ben")`:                                                      flag(`{"groups":[{"properties":[{"key":"distinct_id","value":"ben"}]}]}`),
		this + `(the value of plan is not a number)`:                                                                      flag(`{"groups":[{"properties":[{"key":"plan","operator":"gt","value":"18"}]}]}`),
		this + `(this person is not in cohort 3)`:                                                                         flag(`{"groups":[{"properties":[{"key":"id","type":"cohort","value":3}]}]}`),
		this + `(this person is in cohort 4)`:                                                                             flag(`{"groups":[{"properties":[{"key":"id","type":"cohort","operator":"not_in","value":4}]}]}`),
		this + `("size" of the group does not match: asked for is gt "1")`:                                                flag(`{"groups":[{"properties":[{"key":"size","type":"group","group_type_index":0,"operator":"gt","value":"1"}]}]}`),
		this + `(condition 1: "plan" is "pro": asked for is exact "a"; condition 2: "x" is not set: asked for is is_set)`: flag(`{"groups":[{"properties":[{"key":"plan","value":"a"}]},{"properties":[{"key":"x","operator":"is_set"}]}]}`),
	} {
		project := &evaluation.Project{
			Flags: map[int64]*evaluation.Flag{1: f}, GroupTypes: []string{"company"},
			Cohorts: map[int64]*evaluation.Cohort{3: evaluation.NewCohort(3, true, nil), 4: evaluation.NewCohort(4, true, nil)},
		}
		person := &evaluation.Person{DistinctID: "anna", Properties: rawjson.Fields{"plan": json.RawMessage(`"pro"`)}, Cohorts: map[int64]bool{4: true}}
		s := offer.Survey{ID: "s", Targeting: f}
		assert.Equal(t, []string{want}, s.ReasonsFor(project, person, now), string(f.Filters))
	}
}

// What holds for everybody is said once, and only the service's own page shows external surveys.
func TestReasonsForEverybody(t *testing.T) {
	t.Parallel()
	running := offer.Survey{Type: "popover", Start: now.Add(time.Hour)}
	assert.Empty(t, running.Reasons(now), "a date to come changes nothing")

	external, draft, ends, everything := running, running, running, running
	external.Type, external.IsProjectOff = offer.External, true
	draft.Start = time.Time{}
	ends.End = now.Add(time.Hour)
	everything.IsArchived, everything.IsProjectOff = true, true
	for _, c := range []struct {
		survey offer.Survey
		want   string
	}{
		{external, "type: an external_survey is shown only on its own page"},
		{draft, "status: it is a draft"},
		{ends, "status: it is over, although its end_date is 2026-01-02T04:04:05Z"},
		{everything, "status: it is archived: set archived = false|project: surveys are switched off in the project"},
	} {
		reasons := c.survey.Reasons(now)
		words := strings.Split(c.want, "|")
		if assert.Len(t, reasons, len(words)) {
			for i, want := range words {
				assert.Contains(t, reasons[i], want)
			}
		}
	}
}

// A survey that comes again does not ask its internal flag.
func TestInternalFlag(t *testing.T) {
	t.Parallel()
	internal := flag(`{"groups":[{"properties":[{"key":"$survey_responded/s/2","operator":"is_not_set","type":"person"}]}]}`)
	project := &evaluation.Project{Flags: map[int64]*evaluation.Flag{1: internal}}
	person := &evaluation.Person{Properties: rawjson.Fields{"$survey_responded/s/2": json.RawMessage("true")}}

	s := offer.Survey{ID: "s", Start: now, Iteration: 2, Internal: internal, Schedule: "once", Conditions: json.RawMessage(`{"events":{"repeatedActivation":true,"values":[]}}`)}
	assert.Equal(t, []string{"internal flag: this person has answered or dismissed it, or is within its wait period ($survey_responded/s/2 is set)"}, s.ReasonsFor(project, person, now))
	internal.Active = false
	assert.Contains(t, s.ReasonsFor(project, person, now)[0], "stop and launch it again")

	s.Schedule = "always"
	assert.Empty(t, s.ReasonsFor(project, person, now))
	s.Schedule, s.Conditions = "once", json.RawMessage(`{"events":{"repeatedActivation":true,"values":[{"name":"bought"}]}}`)
	assert.Empty(t, s.ReasonsFor(project, person, now))
}
