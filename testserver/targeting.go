package testserver

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// checkFlags refuses references to flags that the project does not have.
func checkFlags(st *store.Store, project int64, sent rawjson.Fields) *field.Failure {
	for _, reference := range flagIDs {
		if sent.IsNull(reference.name) {
			continue
		}
		if f := st.Flags.Get(parseID(sent[reference.name])); f == nil || f.Project != project {
			return field.Invalid("invalid_input", "", reference.noun+" with this ID does not exist")
		}
	}
	return nil
}

// checkRemoval refuses a request that links the flag that it also removes. The survey is nil
// when it is being created.
func checkRemoval(st *store.Store, s *store.Survey, sent rawjson.Fields) *field.Failure {
	if s == nil || st.Flags.Get(s.Targeting) == nil || !python.IsTruthy(sent["remove_targeting_flag"]) {
		return nil
	}
	for _, reference := range flagIDs {
		if !sent.IsNull(reference.name) && parseID(sent[reference.name]) == s.Targeting {
			return field.Invalid("invalid_input", "", reference.noun+" with this ID does not exist")
		}
	}
	return nil
}

// flagIDs are the fields by which a request links flags, with the service's nouns for the
// flags.
var flagIDs = []struct{ name, noun string }{
	{"linked_flag_id", "Feature Flag"}, {"targeting_flag_id", "Targeting Feature Flag"},
}

// applyTargeting changes the flags of a survey as a request asks: it links, edits, creates or
// removes them. The survey is not stored yet.
func applyTargeting(st *store.Store, s *store.Survey, sent rawjson.Fields, creating bool, ids func() uuid.UUID) {
	if raw, ok := sent["linked_flag_id"]; ok {
		s.Linked = parseID(raw)
	}
	if !sent.IsNull("targeting_flag_id") {
		s.Targeting = parseID(sent["targeting_flag_id"])
	}
	if !creating && string(sent["remove_targeting_flag"]) == "true" {
		st.RemoveFlag(s.Targeting)
		s.Targeting = 0
	}

	filters := sent["targeting_flag_filters"]
	if sent.IsNull("targeting_flag_filters") || bytes.Equal(filters, []byte("{}")) {
		return
	}

	if !creating && st.Flags.Get(s.Targeting) != nil {
		st.EditFlag(s.Targeting, rawjson.Fields{"filters": filters})
		return
	}

	// A new flag is off, whatever the dates of the survey: the first update syncs it.
	s.Targeting = st.MakeFlag(s.Project, targetingName(s), targetingKey(ids), filters, false)
}

// addInternalFlag creates the flag by which the service does not ask a person twice.
func addInternalFlag(st *store.Store, s *store.Survey, ids func() uuid.UUID) {
	filters := bytes.Join(internalFilters, []byte(s.ID.String()))
	s.Internal = st.MakeFlag(s.Project, targetingName(s), targetingKey(ids)+"-custom", filters, s.IsRunning())
}

// internalFilters are the parts of the filters around the id of the survey.
var internalFilters = bytes.Split([]byte(`{"groups":[{"variant":"","rollout_percentage":100,"properties":[`+
	`{"key":"$survey_dismissed/ID","type":"person","value":"is_not_set","operator":"is_not_set"},`+
	`{"key":"$survey_responded/ID","type":"person","value":"is_not_set","operator":"is_not_set"}]}]}`), []byte("ID"))

// syncFlags switches the flags of a survey on or off with the survey.
func syncFlags(st *store.Store, s *store.Survey) {
	active := rawjson.Fields{"active": rawjson.Boolean(s.IsRunning())}
	st.EditFlag(s.Internal, active)
	st.EditFlag(s.Targeting, active)
}

func targetingName(s *store.Survey) string { return "Targeting flag for survey " + s.Name }

// targetingKey is the key of a flag that is created for a survey. Its random part comes from
// the source of ids, so that a run is repeatable.
func targetingKey(ids func() uuid.UUID) string {
	id := ids()
	return "survey-targeting-" + hex.EncodeToString(id[11:])
}

// parseID parses an id that was checked to be an integer; null gives 0, which is no id.
func parseID(raw json.RawMessage) int64 {
	var id int64
	if err := json.Unmarshal(raw, &id); err != nil {
		panic(fmt.Sprintf("testserver: a checked id is no integer: %v", err))
	}
	return id
}
