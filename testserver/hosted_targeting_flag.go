package testserver

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// createTargeting creates the targeting flag of a new survey. It is off, whatever the
// dates: the first update syncs it.
func (w *surveyWrite) createTargeting(s *store.Survey) *field.Failure {
	return w.makeTargeting(s, false)
}

// editTargeting changes the targeting flag as an update asks, before the survey itself is
// checked: the change stays if that is refused.
func (w *surveyWrite) editTargeting(s *store.Survey) *field.Failure {
	st := w.x.store
	if python.IsTruthy(w.sent["remove_targeting_flag"]) && st.Flags.Get(s.Targeting) != nil {
		st.RemoveFlag(s.Targeting)
		s.Targeting = 0
		delete(w.sent, "targeting_flag_id")
	}

	flag := st.Flags.Get(s.Targeting)
	if flag == nil {
		return w.makeTargeting(s, !s.IsNull(store.SurveyTable, "start_date"))
	}
	filters := w.sent["targeting_flag_filters"]
	if !python.IsTruthy(filters) {
		return nil
	}
	merged := rawjson.PairsOf(flag.Filters())
	for _, m := range rawjson.PairsOf(filters) {
		merged = merged.With(m.Name, m.Value)
	}
	if f := targeting.Check(wire.Decode(merged.JSON()), flag, w.x.flagProject()); f != nil {
		return f
	}
	if w.needsApproval() {
		return field.ServerError()
	}
	st.ReviseFlag(flag.ID, targeting.Normal(wire.Decode(merged.JSON())))
	return nil
}

// makeTargeting creates the targeting flag of a survey without one, if the request has
// filters for it.
func (w *surveyWrite) makeTargeting(s *store.Survey, active bool) *field.Failure {
	filters := w.sent["targeting_flag_filters"]
	if !python.IsTruthy(filters) {
		return nil
	}
	if f := targeting.Check(wire.Decode(filters), nil, w.x.flagProject()); f != nil {
		return f
	}
	if f := w.checkFlagLimit(); f != nil {
		return f
	}
	s.Targeting = makeSurveyFlag(w.x.store, s, "", filters, active, w.x.ids)
	delete(w.sent, "targeting_flag_id")
	return nil
}

// needsApproval reports whether an edit of a survey's flag waits for an approval. The
// service responds to such a survey request with an error, because its survey operations
// have no response for it.
func (w *surveyWrite) needsApproval() bool {
	return w.x.organization.Has(FeatureFlagApprovals)
}

// checkFlagLimit refuses a new flag in a project that has reached its limit.
func (w *surveyWrite) checkFlagLimit() *field.Failure {
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
	return field.Invalid("invalid_input", "", fmt.Sprintf("Maximum of %d feature flags allowed per team. "+
		"Please delete unused flags or contact support to increase this limit.", limit))
}

// makeSurveyFlag creates a flag of a survey. Its name contains the current name of the
// survey.
func makeSurveyFlag(st *store.Store, s *store.Survey, suffix string, filters json.RawMessage, active bool, ids func() uuid.UUID) int64 {
	return st.MakeFlag(s.Project, targetingName(s), targetingKey(ids)+suffix, targeting.Normal(wire.Decode(filters)), active)
}
