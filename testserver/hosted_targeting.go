package testserver

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// createTargeting creates the targeting flag of a new survey. It is off, whatever the
// dates: the first update syncs it.
func (w *surveyWrite) createTargeting(s *store.Survey) *field.Failure {
	return w.makeTargeting(s, false)
}

// editTargeting changes the targeting flag as an update asks, before the survey itself is
// checked: the change stays if that is refused.
func (w *surveyWrite) editTargeting(s *store.Survey) *field.Failure {
	st := w.server.store
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
	if f := w.checkFilters(merged.JSON(), flag); f != nil {
		return f
	}
	if w.needsApproval() {
		return field.ServerError()
	}
	st.ReviseFlag(flag.ID, normalFilters(merged.JSON()))
	return nil
}

// makeTargeting creates the targeting flag of a survey without one, if the request has
// filters for it.
func (w *surveyWrite) makeTargeting(s *store.Survey, active bool) *field.Failure {
	filters := w.sent["targeting_flag_filters"]
	if !python.IsTruthy(filters) {
		return nil
	}
	if f := w.checkFilters(filters, nil); f != nil {
		return f
	}
	if f := w.checkFlagLimit(); f != nil {
		return f
	}
	s.Targeting = makeSurveyFlag(w.server.store, s, "", filters, active, w.server.ids)
	delete(w.sent, "targeting_flag_id")
	return nil
}

// needsApproval reports whether an edit of a survey's flag waits for an approval. The
// service answers such a survey request with an error, because its survey operations
// have no answer for it.
func (w *surveyWrite) needsApproval() bool {
	return w.organization.Has(FeatureFlagApprovals) && !w.organization.Has(FeatureSurveyFlagsExempt)
}

// checkFlagLimit refuses a new flag in a project that has reached its limit.
func (w *surveyWrite) checkFlagLimit() *field.Failure {
	settings, limited := w.organization.Feature(FeatureFlagLimit)
	if !limited {
		return nil
	}
	limit, flags := settings.Integer("limit"), int64(0)
	for f := range w.server.store.Flags.Each() {
		if f.Project == w.project.ID {
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
	return st.MakeFlag(s.Project, targetingName(s), targetingKey(ids)+suffix, normalFilters(filters), active)
}

// normalFilters are filters as the service stores them: each group says by which group
// type it aggregates, and the whole says it where all agree; operators have their
// present names; payloads are texts.
func normalFilters(raw json.RawMessage) json.RawMessage {
	filters := rawjson.PairsOf(raw)
	if payloads := filters.Get("payloads"); rawjson.IsObject(payloads) {
		filters = filters.With("payloads", textPayloads(payloads))
	}
	if !rawjson.IsArray(filters.Get("groups")) {
		return jsonbOrder(filters.JSON())
	}

	common := filters.Get(aggregation)
	if common == nil {
		common = json.RawMessage("null")
	}
	groups := rawjson.List(filters.Get("groups"))
	var all json.RawMessage
	for i, group := range groups {
		if !rawjson.IsObject(group) {
			continue
		}
		p := rawjson.PairsOf(group)
		if p.Get(aggregation) == nil {
			p = p.With(aggregation, common)
		}
		if properties := p.Get("properties"); rawjson.IsArray(properties) {
			p = p.With("properties", presentOperators(properties))
		}
		groups[i] = p.JSON()
		if all == nil {
			all = p.Get(aggregation)
		} else if string(all) != string(p.Get(aggregation)) {
			all = json.RawMessage("null")
		}
	}
	filters = filters.With("groups", rawjson.Array(groups))
	if all != nil {
		filters = filters.With(aggregation, all)
	}
	return jsonbOrder(filters.JSON())
}

// textPayloads are payloads as JSON texts; what is a text already stays.
func textPayloads(payloads json.RawMessage) json.RawMessage {
	texts := rawjson.PairsOf(payloads)
	for i, m := range texts {
		if !rawjson.IsString(m.Value) {
			texts[i].Value = rawjson.Quote(python.Dump(m.Value))
		}
	}
	return texts.JSON()
}

// presentOperators are properties without the two old names of operators.
func presentOperators(properties json.RawMessage) json.RawMessage {
	items := rawjson.List(properties)
	for i, property := range items {
		if !rawjson.IsObject(property) {
			continue
		}
		p := rawjson.PairsOf(property)
		switch rawjson.Unquote(p.Get("operator")) {
		case "min", "max":
			items[i] = p.With("operator", rawjson.Quote(operatorOf(rawjson.Members(property)))).JSON()
		}
	}
	return rawjson.Array(items)
}
