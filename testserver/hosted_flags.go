package testserver

import (
	"encoding/json"
	"strconv"

	"github.com/google/uuid"
)

// editTargeting does to the targeting flag what an update asks, before the survey
// itself is looked at: what is done here stays done when that is refused.
func (w *surveyWrite) editTargeting(s *survey) *failure {
	st := w.server.store
	if isTruthy(w.sent["remove_targeting_flag"]) && st.flags[s.targeting] != nil {
		delete(st.flags, s.targeting)
		s.targeting = 0
		delete(w.sent, "targeting_flag_id")
	}
	filters := w.sent["targeting_flag_filters"]
	if !isTruthy(filters) {
		return nil
	}
	flag := st.flags[s.targeting]
	if flag == nil {
		if f := w.checkFilters(filters); f != nil {
			return f
		}
		s.targeting = st.makeSurveyFlag(s, "", filters, !s.isNull(surveyTable, "start_date"), w.server.ids)
		delete(w.sent, "targeting_flag_id")
		return nil
	}
	merged := pairsOf(flag.filters())
	for _, m := range pairsOf(filters) {
		merged = merged.with(m.name, m.value)
	}
	if f := w.checkFilters(merged.json()); f != nil {
		return f
	}
	st.reviseFlag(flag.id, merged.json())
	return nil
}

// makeSurveyFlag makes a flag of a survey. Its name keeps what the survey is called
// at the time.
func (st *store) makeSurveyFlag(s *survey, suffix string, filters json.RawMessage, active bool, ids func() uuid.UUID) int64 {
	return st.makeFlag(s.project, targetingName(s), targetingKey(ids)+suffix, normalFilters(filters), active)
}

// filters are the release conditions of a flag, an empty object when it has none.
func (f *featureFlag) filters() json.RawMessage {
	if raw := f.values[flagTable.index["filters"]]; isObject(raw) {
		return raw
	}
	return json.RawMessage("{}")
}

// reviseFlag gives a flag other filters, which counts up its version.
func (st *store) reviseFlag(id int64, filters json.RawMessage) {
	f := st.flags[id]
	version, err := strconv.ParseInt(string(f.member("version")), 10, 64)
	if err != nil {
		version = 1
	}
	edited := *f
	edited.object = f.with(flagTable, fields{"filters": normalFilters(filters)}).withMember("version", encode(version+1))
	st.flags[id] = &edited
}

// normalFilters are filters with what the service adds to them: each group says by
// which group type it aggregates, and the whole says it where all agree.
func normalFilters(raw json.RawMessage) json.RawMessage {
	const name = "aggregation_group_type_index"
	filters := pairsOf(raw)
	if !isList(filters.get("groups")) {
		return databaseOrder(raw)
	}
	common := filters.get(name)
	if common == nil {
		common = json.RawMessage("null")
	}
	groups := listOf(filters.get("groups"))
	var all json.RawMessage
	for i, group := range groups {
		if !isObject(group) {
			continue
		}
		p := pairsOf(group)
		if p.get(name) == nil {
			p = p.with(name, common)
			groups[i] = p.json()
		}
		if all == nil {
			all = p.get(name)
		} else if string(all) != string(p.get(name)) {
			all = json.RawMessage("null")
		}
	}
	filters = filters.with("groups", listJSON(groups))
	if all != nil {
		filters = filters.with(name, all)
	}
	return databaseOrder(filters.json())
}

// keepInternalFlag makes or updates the flag by which the service stops asking a
// person twice.
func (w *surveyWrite) keepInternalFlag(s *survey) {
	st := w.server.store
	flag := st.flags[s.internal]
	if flag == nil {
		st.addHostedInternalFlag(s, w.server.ids)
		return
	}
	filters := pairsOf(flag.filters()).with("groups", s.internalGroups())
	st.reviseFlag(s.internal, filters.json())
	st.editFlag(s.internal, fields{"active": encode(s.isRunning())})
}

func (st *store) addHostedInternalFlag(s *survey, ids func() uuid.UUID) {
	filters := pairs{{"groups", s.internalGroups()}}.json()
	s.internal = st.makeSurveyFlag(s, "-custom", filters, s.isRunning(), ids)
}

// beginIteration lets everyone be asked again in the next iteration of a survey. The
// job knows nothing of the days to wait after another survey.
func (st *store) beginIteration(s *survey) {
	if flag := st.flags[s.internal]; flag != nil {
		groups := listJSON([]json.RawMessage{everyoneWith(s.untouched())})
		st.reviseFlag(s.internal, pairsOf(flag.filters()).with("groups", groups).json())
	}
}

// untouched are the properties of a person who has neither answered nor dismissed the
// survey, or its iteration.
func (s *survey) untouched() []json.RawMessage {
	own := s.id.String()
	if all := s.fields(); all.whole("iteration_count") > 0 {
		own += "/" + strconv.FormatInt(max(all.whole("current_iteration"), 1), 10)
	}
	return []json.RawMessage{
		personProperty("$survey_dismissed/"+own, "is_not_set", "is_not_set"),
		personProperty("$survey_responded/"+own, "is_not_set", "is_not_set"),
	}
}

// internalGroups are the groups of the internal flag: who has neither answered nor
// dismissed the survey, or its iteration, and who has not seen another one lately.
func (s *survey) internalGroups() json.RawMessage {
	base := s.untouched()
	const lastSeen = "$last_seen_survey_date"
	days := s.waitPeriod()
	if days <= 0 {
		return listJSON([]json.RawMessage{everyoneWith(base)})
	}
	return listJSON([]json.RawMessage{
		everyoneWith(append(base[:2:2], personProperty(lastSeen, "is_not_set", "is_not_set"))),
		everyoneWith(append(base[:2:2], personProperty(lastSeen, strconv.FormatInt(days, 10)+"d", "is_date_before"))),
	})
}

// waitPeriod are the days that must have passed since a person saw another survey.
func (s *survey) waitPeriod() int64 {
	conditions := s.hostedValue("conditions")
	if !isObject(conditions) {
		return 0
	}
	days, ok := number(members(conditions)["seenSurveyWaitPeriodInDays"])
	if !ok || days <= 0 {
		return 0
	}
	return int64(days)
}

func personProperty(key, value, operator string) json.RawMessage {
	return pairs{{"key", quote(key)}, {"value", quote(value)}, {"operator", quote(operator)}, {"type", quote("person")}}.json()
}

func everyoneWith(properties []json.RawMessage) json.RawMessage {
	return pairs{{"variant", quote("")}, {"rollout_percentage", encode(100)}, {"properties", listJSON(properties)}}.json()
}

// keepSamplingFlag makes the flag by which the service samples answers, once a survey
// has a plan for it.
func (w *surveyWrite) keepSamplingFlag(s *survey) {
	if isNothing(s.hostedValue("response_sampling_daily_limits")) || w.server.store.flags[s.samplingFlag()] != nil {
		return
	}
	filters := pairs{{"groups", listJSON([]json.RawMessage{everyoneWith(nil)})}}.json()
	id := w.server.store.makeSurveyFlag(s, "-sampling", filters, !s.isNull(surveyTable, "start_date"), w.server.ids)
	s.object = s.withMember(samplingFlagMember, encode(id))
}
