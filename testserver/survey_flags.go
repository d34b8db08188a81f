package testserver

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// editTargeting changes the targeting flag as an update asks, before the survey itself is
// checked: the change stays if that is refused.
func (w *surveyWrite) editTargeting(s *store.Survey) *wire.Failure {
	st := w.x.store
	if w.sent["remove_targeting_flag"].IsTruthy() && st.Flags.Get(s.Targeting) != nil {
		st.RemoveFlag(s.Targeting)
		s.Targeting = 0
		delete(w.sent, "targeting_flag_id")
	}

	flag, sent := st.Flags.Get(s.Targeting), w.sent["targeting_flag_filters"]
	switch {
	case flag == nil:
		return w.makeTargeting(s, !s.IsNull(store.SurveyTable, "start_date"))
	case !sent.IsTruthy():
		return nil
	case !w.x.profile.checks:
		st.EditFlag(flag.ID, rawjson.Fields{"filters": sent.Raw})
		return nil
	}

	merged := wire.Decode(flag.Filters())
	for _, m := range sent.Members() {
		merged = merged.With(m.Name, m.Value)
	}
	if f := targeting.Check(merged, flag, w.x.flagProject()); f != nil {
		return f
	}
	if w.x.organization.Has(FeatureFlagApprovals) {
		// The survey operations of the service have no response for an edit that waits.
		return wire.ServerError()
	}
	st.ReviseFlag(flag.ID, targeting.Normal(merged))
	return nil
}

// makeTargeting creates the targeting flag of a survey without one, if the request has
// filters for it. That of a new survey is off, whatever the dates: the first update syncs it.
func (w *surveyWrite) makeTargeting(s *store.Survey, active bool) *wire.Failure {
	filters := w.sent["targeting_flag_filters"]
	if !filters.IsTruthy() {
		return nil
	}
	if w.x.profile.checks {
		f := wire.FirstOf(func() *wire.Failure { return targeting.Check(filters, nil, w.x.flagProject()) }, w.checkFlagLimit)
		if f != nil {
			return f
		}
	}
	s.Targeting = makeSurveyFlag(w.x.store, s, "", w.x.profile.normal(filters), active, w.x.ids)
	delete(w.sent, "targeting_flag_id")
	return nil
}

// checkFlagLimit refuses a new flag in a project that has reached its limit.
func (w *surveyWrite) checkFlagLimit() *wire.Failure {
	settings, limited := w.x.organization.Feature(FeatureFlagLimit)
	if !limited {
		return nil
	}
	limit, flags := settings.Integer("limit"), int64(0)
	for f := range w.x.store.Flags.Each() {
		if f.Project == w.x.project.ID {
			flags++
		}
	}
	if flags < limit {
		return nil
	}
	return refused("", "Maximum of %d feature flags allowed per team. "+
		"Please delete unused flags or contact support to increase this limit.", limit)
}

// makeSurveyFlag creates a flag of a survey. Its name contains the current name of the
// survey.
func makeSurveyFlag(st *store.Store, s *store.Survey, suffix string, filters json.RawMessage, active bool, ids func() uuid.UUID) int64 {
	return st.MakeFlag(s.Project, targetingName(s), targetingKey(ids)+suffix, filters, active)
}

func targetingName(s *store.Survey) string { return "Targeting flag for survey " + s.Name }

// targetingKey is the key of a flag that is created for a survey. Its random part comes from
// the source of ids, so that a run is repeatable.
func targetingKey(ids func() uuid.UUID) string {
	id := ids()
	return "survey-targeting-" + hex.EncodeToString(id[11:])
}

// syncFlags switches the flags of a survey on or off with the survey.
func syncFlags(st *store.Store, s *store.Survey) {
	active := rawjson.Fields{"active": rawjson.Boolean(s.IsRunning())}
	st.EditFlag(s.Internal, active)
	st.EditFlag(s.Targeting, active)
}

// The internal flag of a survey prevents that people are asked twice, or too soon after
// another survey.

// saveInternalFlag creates or updates the internal flag of a saved survey.
func (w *surveyWrite) saveInternalFlag(s *store.Survey) *wire.Failure {
	st := w.x.store
	if _, ok := waitPeriod(st, s); !ok && w.x.profile.checks {
		return wire.ServerError()
	}
	if st.Flags.Get(s.Internal) == nil {
		if f := w.checkFlagLimit(); f != nil {
			return f
		}
		w.x.profile.addInternalFlag(st, s, w.x.ids)
		return nil
	}
	w.x.profile.reviseGroups(st, s, internalGroups(st, s))
	st.EditFlag(s.Internal, rawjson.Fields{"active": rawjson.Boolean(s.IsRunning())})
	return nil
}

func (p *profile) addInternalFlag(st *store.Store, s *store.Survey, ids func() uuid.UUID) {
	filters := wire.ObjectOf(wire.Member{Name: "groups", Value: internalGroups(st, s)})
	s.Internal = makeSurveyFlag(st, s, "-custom", p.normal(filters), s.IsRunning(), ids)
}

// reviseGroups replaces the groups of the internal flag of a survey.
func (p *profile) reviseGroups(st *store.Store, s *store.Survey, groups wire.Value) {
	if flag := st.Flags.Get(s.Internal); flag != nil {
		st.ReviseFlag(s.Internal, p.normal(wire.Decode(flag.Filters()).With("groups", groups)))
	}
}

// beginIteration lets everyone be asked again in the next iteration of a survey. The job
// ignores the wait period after another survey.
func (p *profile) beginIteration(st *store.Store, s *store.Survey) {
	p.reviseGroups(st, s, wire.ArrayOf(everyoneWith(notAskedYet(s)...)))
}

// notAskedYet are the properties of a person who has neither answered nor dismissed the
// survey, or its iteration.
func notAskedYet(s *store.Survey) []wire.Value {
	own := s.ID.String()
	if all := s.Fields(); all.Integer("iteration_count") > 0 {
		own += "/" + strconv.FormatInt(max(all.Integer("current_iteration"), 1), 10)
	}
	return []wire.Value{
		personProperty("$survey_dismissed/"+own, "is_not_set", "is_not_set"),
		personProperty("$survey_responded/"+own, "is_not_set", "is_not_set"),
	}
}

// internalGroups are the groups of the internal flag: who has neither answered nor
// dismissed the survey, or its iteration, and who has not seen another one lately.
func internalGroups(st *store.Store, s *store.Survey) wire.Value {
	base := notAskedYet(s)
	const lastSeen = "$last_seen_survey_date"
	days, _ := waitPeriod(st, s)
	if days <= 0 {
		return wire.ArrayOf(everyoneWith(base...))
	}
	return wire.ArrayOf(
		everyoneWith(append(slices.Clip(base), personProperty(lastSeen, "is_not_set", "is_not_set"))...),
		everyoneWith(append(slices.Clip(base), personProperty(lastSeen, strconv.FormatInt(days, 10)+"d", "is_date_before"))...),
	)
}

// waitPeriod is the number of days that must have passed since a person saw another survey:
// that of the survey, or that of the project if it is greater and the organization has
// [FeatureProjectWaitPeriod]. It is not ok for a value that is not a number, for which the
// service fails without that feature.
func waitPeriod(st *store.Store, s *store.Survey) (days int64, ok bool) {
	own := wire.Decode(s.Value("conditions")).Get("seenSurveyWaitPeriodInDays")
	n, isNumber := own.Number()
	days = int64(min(max(n, 0), math.MaxInt32))

	home := st.Projects.Get(s.Project)
	if !st.Organization(home.Organization).Has(FeatureProjectWaitPeriod) {
		return days, isNumber || own.IsNull()
	}
	if own.Is("true") {
		days = 0
	}
	return max(days, home.WaitPeriod), true
}

func personProperty(key, value, operator string) wire.Value {
	return wire.ObjectOf(
		wire.Member{Name: "key", Value: wire.TextOf(key)},
		wire.Member{Name: "type", Value: wire.TextOf("person")},
		wire.Member{Name: "value", Value: wire.TextOf(value)},
		wire.Member{Name: "operator", Value: wire.TextOf(operator)},
	)
}

func everyoneWith(properties ...wire.Value) wire.Value {
	return wire.ObjectOf(
		wire.Member{Name: "variant", Value: wire.TextOf("")},
		wire.Member{Name: "rollout_percentage", Value: wire.Of(100)},
		wire.Member{Name: "properties", Value: wire.ArrayOf(properties...)},
	)
}
