package store

import (
	"encoding/json"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Fields are all stored fields of a survey by name.
func (s *Survey) Fields() rawjson.Fields {
	all := rawjson.Fields{}
	for i, c := range SurveyTable.Columns {
		all[c.Name] = s.Values[i]
	}
	for _, c := range HostedColumns.Columns {
		all[c.Name] = s.HostedValue(c.Name)
	}
	return all
}

// HostedColumns are the fields of a survey that only the hosted service stores. A
// survey has them among its extra members, so that a fixtures document means the same
// to every profile; an absent one reads as its initial value.
var HostedColumns = field.NewTable(
	field.Column{Name: "schedule", Kind: field.Text, Initial: `"once"`},
	field.Column{Name: "linked_insight_id", Kind: field.Integer},
	field.Column{Name: "response_sampling_start_date", Kind: field.Timestamp},
	field.Column{Name: "response_sampling_interval_type", Kind: field.Text, Initial: `"week"`},
	field.Column{Name: "response_sampling_interval", Kind: field.Integer},
	field.Column{Name: "response_sampling_limit", Kind: field.Integer},
	field.Column{Name: "response_sampling_daily_limits"},
	field.Column{Name: "enable_partial_responses", Kind: field.Boolean, Initial: "false"},
	field.Column{Name: "enable_iframe_embedding", Kind: field.Boolean, NotNull: true, Initial: "false"},
	field.Column{Name: "base_language", Kind: field.Text, NotNull: true, Initial: `"en"`},
	field.Column{Name: "translations", Kind: field.Object},
	field.Column{Name: "form_content"},
)

// Members that the hosted profile stores with a survey and never shows: the flag by
// which the service samples answers, whether the links to actions were cleared while
// conditions still name them, and whether the conditions break each response that the
// survey is in.
const (
	SamplingFlagMember   = "internal_response_sampling_flag_id"
	ActionsClearedMember = "actions_cleared"
	UnreadableMember     = "unreadable"
)

// HostedValue is a stored field of a survey, its initial value when it is not there.
func (s *Survey) HostedValue(name string) json.RawMessage {
	if i, ok := SurveyTable.Index[name]; ok {
		return s.Values[i]
	}
	if value := s.Member(name); value != nil {
		return value
	}
	return HostedColumns.Columns[HostedColumns.Index[name]].InitialValue()
}

// OwnFlags are the ids of the flags that belong to a survey, 0 for one that it lacks: the
// linked flag does not.
func (s *Survey) OwnFlags() []int64 { return []int64{s.Targeting, s.Internal, s.SamplingFlag()} }

// SamplingFlag is the id of the flag that samples answers, 0 for none.
func (s *Survey) SamplingFlag() int64 {
	id, err := strconv.ParseInt(string(s.Member(SamplingFlagMember)), 10, 64)
	if err != nil {
		return 0
	}
	return id
}
