package testserver

import (
	"encoding/json"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// checkExtraColumns checks the fields that the profile has in addition to the documented
// ones.
func (l *loader) checkExtraColumns(d draftSurvey) error {
	if l.profile.extraColumns == nil {
		return nil
	}
	for _, c := range l.profile.extraColumns.Columns {
		raw := d.member(c.Name)
		switch {
		case raw == nil:
		case raw[0] == 'n' && c.NotNull:
			return fmt.Errorf("%s.%s: cannot be null", d.path, c.Name)
		case raw[0] != 'n' && c.Mismatch(raw) != "":
			return fmt.Errorf("%s.%s: %s", d.path, c.Name, c.Mismatch(raw))
		}
	}
	return nil
}

// adoptSamplingFlag finds the flag that samples a survey. A response of the service has its
// key alone: a flag that no list has is created.
func (st *store) adoptSamplingFlag(s *survey) {
	listed := s.member("feature_flag_keys")
	if s.member(samplingFlagMember) != nil || !rawjson.IsArray(listed) {
		return
	}
	for _, raw := range rawjson.Items(listed) {
		if !rawjson.IsObject(raw) || rawjson.Unquote(rawjson.Members(raw)["key"]) != "internal_response_sampling_flag_key" {
			continue
		}
		value := rawjson.Members(raw)["value"]
		if !rawjson.IsString(value) {
			return
		}
		id := st.flagWithKey(s.project, value)
		if id == 0 {
			id = st.makeFlag(s.project, targetingName(s), rawjson.Unquote(value), json.RawMessage(`{"groups":[]}`), s.isRunning())
		}
		s.object = s.withMember(samplingFlagMember, rawjson.Encode(id))
	}
}

// flagWithKey finds a flag of a project by its key, 0 for none.
func (st *store) flagWithKey(project int64, key json.RawMessage) int64 {
	for _, f := range st.flags {
		if f.project == project && string(f.values[flagTable.Index["key"]]) == string(key) {
			return f.id
		}
	}
	return 0
}
