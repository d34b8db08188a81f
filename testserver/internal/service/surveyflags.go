package service

import (
	"encoding/hex"
	"math"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Flags are the flags and cohorts of a project, for the filters of its flags.
type Flags struct {
	Store   *store.Store
	Project int64
}

// Flag returns a flag of the project.
func (p Flags) Flag(id int64) *store.Flag {
	if f := p.Store.Flags.Get(id); f != nil && f.Project == p.Project {
		return f
	}
	return nil
}

// Cohort returns a cohort of the project.
func (p Flags) Cohort(id int64) *store.Cohort {
	if c := p.Store.Cohorts.Get(id); c != nil && c.Project == p.Project {
		return c
	}
	return nil
}

func (w *Write) flags() Flags { return Flags{w.Store, w.project.ID} }

// editTargeting changes the targeting flag for an update, before the survey itself is checked. The change is kept
// even if PostHog then refuses the update.
func (w *Write) editTargeting(s *store.Survey) *wire.Failure {
	st := w.Store
	if w.Sent["remove_targeting_flag"].IsTruthy() && st.Flags.Get(s.Targeting) != nil {
		st.Flags.Remove(s.Targeting)
		s.Targeting = 0
		delete(w.Sent, "targeting_flag_id")
	}

	flag, input := st.Flags.Get(s.Targeting), w.Sent["targeting_flag_filters"]
	switch {
	case flag == nil:
		return w.makeTargeting(s, !s.IsNull(store.SurveyTable, "start_date"))
	case !input.IsTruthy():
		return nil
	case !w.Checks:
		st.EditFlag(flag.ID, wire.Fields{"filters": input})
		return nil
	}

	merged := flag.Filters()
	for _, m := range input.Members() {
		merged = merged.With(m.Name, m.Value)
	}
	if f := targeting.Check(merged, flag, w.flags()); f != nil {
		return f
	}
	if w.organization.Has(FeatureFlagApprovals) {
		// PostHog's survey operations have no response for an edit that needs approval.
		return wire.ServerError()
	}
	st.ReviseFlag(flag.ID, targeting.Normal(merged))
	return nil
}

// makeTargeting creates the targeting flag of a survey without one if the request contains filters for it. The flag
// of a new survey is off, regardless of the survey's dates. The first update turns it on.
func (w *Write) makeTargeting(s *store.Survey, active bool) *wire.Failure {
	filters := w.Sent["targeting_flag_filters"]
	if !filters.IsTruthy() {
		return nil
	}
	if w.Checks {
		f := wire.FirstFailure(func() *wire.Failure { return targeting.Check(filters, nil, w.flags()) }, w.checkFlagLimit)
		if f != nil {
			return f
		}
	}
	s.Targeting = w.makeFlag(s, "", w.normal(filters), active)
	delete(w.Sent, "targeting_flag_id")
	return nil
}

// checkFlagLimit refuses a new flag in a project that has reached its limit.
func (w *Write) checkFlagLimit() *wire.Failure {
	settings, limited := w.organization.Feature(FeatureFlagLimit)
	if !limited {
		return nil
	}
	limit, flags := settings["limit"].Integer(), int64(0)
	for f := range w.Store.Flags.Each() {
		if f.Project == w.project.ID {
			flags++
		}
	}
	if flags < limit {
		return nil
	}
	return wire.Refusal("", "Maximum of %d feature flags allowed per team. "+
		"Please delete unused flags or contact support to increase this limit.", limit)
}

// makeFlag creates a flag for a survey. The flag's name contains the survey's current name.
func (v Service) makeFlag(s *store.Survey, suffix string, filters wire.Value, active bool) int64 {
	return v.Store.MakeFlag(s.Project, targetingName(s), v.targetingKey()+suffix, filters, active)
}

func targetingName(s *store.Survey) string { return "Targeting flag for survey " + s.Name }

// targetingKey returns the key of a new survey flag. Its random part comes from v.IDs, so that runs are
// repeatable.
func (v Service) targetingKey() string {
	id := v.IDs()
	return "survey-targeting-" + hex.EncodeToString(id[11:])
}

// SyncFlags turns the flags of a survey on or off with the survey.
func SyncFlags(st *store.Store, s *store.Survey) {
	active := wire.Fields{"active": wire.NewBool(s.IsRunning())}
	st.EditFlag(s.Internal, active)
	st.EditFlag(s.Targeting, active)
}

// The internal flag of a survey prevents PostHog from asking a person twice, or too soon after another survey.

// saveInternalFlag creates or updates the internal flag of a saved survey.
func (w *Write) saveInternalFlag(s *store.Survey) *wire.Failure {
	st := w.Store
	if _, ok := waitPeriod(st, s); !ok && w.Checks {
		return wire.ServerError()
	}
	if st.Flags.Get(s.Internal) == nil {
		if f := w.checkFlagLimit(); f != nil {
			return f
		}
		w.AddInternalFlag(s)
		return nil
	}
	w.reviseGroups(s, internalGroups(st, s))
	st.EditFlag(s.Internal, wire.Fields{"active": wire.NewBool(s.IsRunning())})
	return nil
}

// AddInternalFlag creates the internal flag of a survey.
func (v Service) AddInternalFlag(s *store.Survey) {
	filters := wire.NewObject(wire.Member{Name: "groups", Value: internalGroups(v.Store, s)})
	s.Internal = v.makeFlag(s, "-custom", v.normal(filters), s.IsRunning())
}

// reviseGroups replaces the groups of a survey's internal flag.
func (v Service) reviseGroups(s *store.Survey, groups wire.Value) {
	if flag := v.Store.Flags.Get(s.Internal); flag != nil {
		v.Store.ReviseFlag(s.Internal, v.normal(flag.Filters().With("groups", groups)))
	}
}

// beginIteration lets PostHog ask everyone again in the next iteration of a survey. Like PostHog's job, it
// ignores the wait period after other surveys.
func (v Service) beginIteration(s *store.Survey) {
	v.reviseGroups(s, wire.NewArray(newFilters(notAskedYet(s)...)))
}

// notAskedYet returns properties that match persons who have neither answered nor dismissed the survey or its
// current iteration.
func notAskedYet(s *store.Survey) []wire.Value {
	return []wire.Value{
		personProperty("$survey_dismissed/"+idWithIteration(s), "is_not_set", "is_not_set"),
		personProperty(RespondedProperty(s), "is_not_set", "is_not_set"),
	}
}

// RespondedProperty returns the person property that marks persons who have answered a survey or its current
// iteration. Events set it. Without it, PostHog asks the person again.
func RespondedProperty(s *store.Survey) string { return "$survey_responded/" + idWithIteration(s) }

func idWithIteration(s *store.Survey) string {
	id := s.ID.String()
	if fields := s.Fields(); fields["iteration_count"].Integer() > 0 {
		id += "/" + strconv.FormatInt(max(fields["current_iteration"].Integer(), 1), 10)
	}
	return id
}

// internalGroups returns the groups of the internal flag. They match persons who have neither answered nor
// dismissed the survey or its current iteration, and who have not seen another survey in the wait period.
func internalGroups(st *store.Store, s *store.Survey) wire.Value {
	base := notAskedYet(s)
	const lastSeen = "$last_seen_survey_date"
	days, _ := waitPeriod(st, s)
	if days <= 0 {
		return wire.NewArray(newFilters(base...))
	}
	return wire.NewArray(
		newFilters(append(slices.Clip(base), personProperty(lastSeen, "is_not_set", "is_not_set"))...),
		newFilters(append(slices.Clip(base), personProperty(lastSeen, strconv.FormatInt(days, 10)+"d", "is_date_before"))...),
	)
}

// waitPeriod returns the number of days that must pass after a person saw another survey. It is the survey's own wait
// period, or the project's if that is longer and the organization has [FeatureProjectWaitPeriod]. Without this
// feature, ok is false for a value that is not a number, on which PostHog fails.
func waitPeriod(st *store.Store, s *store.Survey) (days int64, ok bool) {
	setting := s.Value("conditions").Get("seenSurveyWaitPeriodInDays")
	n, isNumber := setting.Number()
	days = int64(min(max(n, 0), math.MaxInt32))

	home := st.Projects.Get(s.Project)
	if !st.Organization(home.Organization).Has(FeatureProjectWaitPeriod) {
		return days, isNumber || setting.IsNull()
	}
	if setting.Is("true") {
		days = 0
	}
	return max(days, home.WaitPeriod()), true
}

func personProperty(key, value, operator string) wire.Value {
	return wire.NewObject(
		wire.Member{Name: "key", Value: wire.NewText(key)},
		wire.Member{Name: "type", Value: wire.NewText("person")},
		wire.Member{Name: "value", Value: wire.NewText(value)},
		wire.Member{Name: "operator", Value: wire.NewText(operator)},
	)
}

func newFilters(properties ...wire.Value) wire.Value {
	return wire.NewObject(
		wire.Member{Name: "variant", Value: wire.NewText("")},
		wire.Member{Name: "rollout_percentage", Value: wire.Of(100)},
		wire.Member{Name: "properties", Value: wire.NewArray(properties...)},
	)
}

// RebuildInternalFlags rebuilds the groups of internal flags in a project, as an update of each survey would. It
// skips archived surveys and unchanged flags.
func (v Service) RebuildInternalFlags(project int64) {
	for _, s := range v.Store.Surveys(project).Items {
		flag := v.Store.Flags.Get(s.Internal)
		if flag == nil || s.IsTrue(store.SurveyTable, "archived") {
			continue
		}
		filters := v.normal(flag.Filters().With("groups", internalGroups(v.Store, s)))
		if !filters.Equals(flag.Filters()) {
			v.Store.ReviseFlag(flag.ID, filters)
		}
	}
}
