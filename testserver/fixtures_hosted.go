package testserver

import (
	"encoding/json"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// checkExtraColumns checks the fields that the profile has in addition to the documented
// ones.
func (l *loader) checkExtraColumns(d draftSurvey) error {
	if l.profile.traits().extraColumns == nil {
		return nil
	}
	for _, c := range l.profile.traits().extraColumns.Columns {
		raw := d.Member(c.Name)
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
func adoptSamplingFlag(st *store.Store, s *store.Survey) {
	listed := s.Member("feature_flag_keys")
	if s.Member(store.SamplingFlagMember) != nil || !rawjson.IsArray(listed) {
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
		id := st.FlagWithKey(s.Project, value)
		if id == 0 {
			id = st.MakeFlag(s.Project, targetingName(s), rawjson.Unquote(value), json.RawMessage(`{"groups":[]}`), s.IsRunning())
		}
		s.Object = s.WithMember(store.SamplingFlagMember, rawjson.Encode(id))
	}
}
