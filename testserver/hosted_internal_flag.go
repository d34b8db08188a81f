package testserver

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// The internal flag of a survey prevents that people are asked twice, or too soon after
// another survey.

// saveInternalFlag creates or updates the internal flag of a saved survey.
func (w *surveyWrite) saveInternalFlag(s *store.Survey) *field.Failure {
	st := w.x.store
	if _, ok := waitPeriod(st, s); !ok {
		return field.ServerError()
	}

	flag := st.Flags.Get(s.Internal)
	if flag == nil {
		if f := w.checkFlagLimit(); f != nil {
			return f
		}
		addHostedInternalFlag(st, s, w.x.ids)
		return nil
	}
	filters := rawjson.PairsOf(flag.Filters()).With("groups", internalGroups(st, s))
	st.ReviseFlag(s.Internal, targeting.Normal(wire.Decode(filters.JSON())))
	st.EditFlag(s.Internal, rawjson.Fields{"active": rawjson.Boolean(s.IsRunning())})
	return nil
}

func addHostedInternalFlag(st *store.Store, s *store.Survey, ids func() uuid.UUID) {
	filters := rawjson.Pairs{{Name: "groups", Value: internalGroups(st, s)}}.JSON()
	s.Internal = makeSurveyFlag(st, s, "-custom", filters, s.IsRunning(), ids)
}

// beginIteration lets everyone be asked again in the next iteration of a survey. The job
// ignores the wait period after another survey.
func beginIteration(st *store.Store, s *store.Survey) {
	if flag := st.Flags.Get(s.Internal); flag != nil {
		groups := rawjson.Array([]json.RawMessage{everyoneWith(notAskedYet(s))})
		st.ReviseFlag(s.Internal, targeting.Normal(wire.Decode(flag.Filters()).With("groups", wire.Decode(groups))))
	}
}

// notAskedYet are the properties of a person who has neither answered nor dismissed the
// survey, or its iteration.
func notAskedYet(s *store.Survey) []json.RawMessage {
	own := s.ID.String()
	if all := s.Fields(); all.Integer("iteration_count") > 0 {
		own += "/" + strconv.FormatInt(max(all.Integer("current_iteration"), 1), 10)
	}
	return []json.RawMessage{
		personProperty("$survey_dismissed/"+own, "is_not_set", "is_not_set"),
		personProperty("$survey_responded/"+own, "is_not_set", "is_not_set"),
	}
}

// internalGroups are the groups of the internal flag: who has neither answered nor
// dismissed the survey, or its iteration, and who has not seen another one lately.
func internalGroups(st *store.Store, s *store.Survey) json.RawMessage {
	base := notAskedYet(s)
	const lastSeen = "$last_seen_survey_date"
	days, _ := waitPeriod(st, s)
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
func waitPeriod(st *store.Store, s *store.Survey) (days int64, ok bool) {
	var own json.RawMessage
	if conditions := s.HostedValue("conditions"); rawjson.IsObject(conditions) {
		own = rawjson.Members(conditions)["seenSurveyWaitPeriodInDays"]
	}
	n, isNumber := python.Number(own)
	days = int64(min(max(n, 0), math.MaxInt32))

	home := st.Projects.Get(s.Project)
	if !st.Organization(home.Organization).Has(FeatureProjectWaitPeriod) {
		return days, isNumber || rawjson.IsNull(own)
	}
	if string(own) == "true" {
		days = 0
	}
	return max(days, home.WaitPeriod), true
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
