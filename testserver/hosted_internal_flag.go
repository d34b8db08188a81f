package testserver

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// The internal flag of a survey prevents that people are asked twice, or too soon after
// another survey.

// saveInternalFlag creates or updates the internal flag of a saved survey.
func (w *surveyWrite) saveInternalFlag(s *survey) *field.Failure {
	st := w.server.store
	if _, ok := st.waitPeriod(s); !ok {
		return field.ServerError()
	}

	flag := st.flags[s.internal]
	if flag == nil {
		if f := w.checkFlagLimit(); f != nil {
			return f
		}
		st.addHostedInternalFlag(s, w.server.ids)
		return nil
	}
	filters := rawjson.PairsOf(flag.filters()).With("groups", st.internalGroups(s))
	st.reviseFlag(s.internal, filters.JSON())
	st.editFlag(s.internal, rawjson.Fields{"active": rawjson.Boolean(s.isRunning())})
	return nil
}

func (st *store) addHostedInternalFlag(s *survey, ids func() uuid.UUID) {
	filters := rawjson.Pairs{{Name: "groups", Value: st.internalGroups(s)}}.JSON()
	s.internal = st.makeSurveyFlag(s, "-custom", filters, s.isRunning(), ids)
}

// beginIteration lets everyone be asked again in the next iteration of a survey. The job
// ignores the wait period after another survey.
func (st *store) beginIteration(s *survey) {
	if flag := st.flags[s.internal]; flag != nil {
		groups := rawjson.Array([]json.RawMessage{everyoneWith(s.notAskedYet())})
		st.reviseFlag(s.internal, rawjson.PairsOf(flag.filters()).With("groups", groups).JSON())
	}
}

// notAskedYet are the properties of a person who has neither answered nor dismissed the
// survey, or its iteration.
func (s *survey) notAskedYet() []json.RawMessage {
	own := s.id.String()
	if all := s.fields(); all.Integer("iteration_count") > 0 {
		own += "/" + strconv.FormatInt(max(all.Integer("current_iteration"), 1), 10)
	}
	return []json.RawMessage{
		personProperty("$survey_dismissed/"+own, "is_not_set", "is_not_set"),
		personProperty("$survey_responded/"+own, "is_not_set", "is_not_set"),
	}
}

// internalGroups are the groups of the internal flag: who has neither answered nor
// dismissed the survey, or its iteration, and who has not seen another one lately.
func (st *store) internalGroups(s *survey) json.RawMessage {
	base := s.notAskedYet()
	const lastSeen = "$last_seen_survey_date"
	days, _ := st.waitPeriod(s)
	if days <= 0 {
		return rawjson.Array([]json.RawMessage{everyoneWith(base)})
	}
	return rawjson.Array([]json.RawMessage{
		everyoneWith(append(base[:2:2], personProperty(lastSeen, "is_not_set", "is_not_set"))),
		everyoneWith(append(base[:2:2], personProperty(lastSeen, strconv.FormatInt(days, 10)+"d", "is_date_before"))),
	})
}

// waitPeriod is the number of days that must have passed since a person saw another survey:
// that of the survey, or that of the project if it is greater and the organization has
// [FeatureProjectWaitPeriod]. It is not ok for a value that is not a number, for which the
// service fails without that feature.
func (st *store) waitPeriod(s *survey) (days int64, ok bool) {
	var own json.RawMessage
	if conditions := s.hostedValue("conditions"); rawjson.IsObject(conditions) {
		own = rawjson.Members(conditions)["seenSurveyWaitPeriodInDays"]
	}
	n, isNumber := python.Number(own)
	days = int64(min(max(n, 0), math.MaxInt32))

	home := st.projects[s.project]
	if !st.organizations[home.organization].has(FeatureProjectWaitPeriod) {
		return days, isNumber || rawjson.IsNull(own)
	}
	if string(own) == "true" {
		days = 0
	}
	return max(days, home.waitPeriod), true
}

func personProperty(key, value, operator string) json.RawMessage {
	return rawjson.Pairs{
		{Name: "key", Value: rawjson.Quote(key)},
		{Name: "value", Value: rawjson.Quote(value)},
		{Name: "operator", Value: rawjson.Quote(operator)},
		{Name: "type", Value: rawjson.Quote("person")},
	}.JSON()
}

func everyoneWith(properties []json.RawMessage) json.RawMessage {
	return rawjson.Pairs{
		{Name: "variant", Value: rawjson.Quote("")},
		{Name: "rollout_percentage", Value: rawjson.Encode(100)},
		{Name: "properties", Value: rawjson.Array(properties)},
	}.JSON()
}
