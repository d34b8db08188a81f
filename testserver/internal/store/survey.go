package store

import (
	"strconv"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Survey is a stored survey. Its object has the columns of [SurveyTable]. Flags and author are IDs, or 0 if there
// is none.
type Survey struct {
	Object
	SortKey
	ID      uuid.UUID
	Project int64
	// Name is the decoded name column, for lookups.
	Name                        string
	Linked, Targeting, Internal int64
	Author                      int64
}

func (s *Survey) sortKey() SortKey { return s.SortKey }

// IsRunning reports whether a survey is launched, not stopped, and not archived.
func (s *Survey) IsRunning() bool {
	return !s.IsNull(SurveyTable, "start_date") && s.IsNull(SurveyTable, "end_date") && !s.IsTrue(SurveyTable, "archived")
}

// SurveyField is a field of a survey.
type SurveyField struct {
	wire.Column
	// Documented and Hosted contain the uses of the field in each profile: r in responses to reads, w in
	// responses to writes, and q in requests.
	Documented, Hosted string
	// IsElsewhere reports whether the field has no column, because it is computed or describes a flag or the
	// user.
	IsElsewhere bool
}

// everywhere stands for all uses of a field.
const everywhere = "rwq"

// SurveyFields are the fields of a survey, in the order in which PostHog checks and shows them.
var SurveyFields = []SurveyField{
	{Documented: "rw", Hosted: "rw", IsElsewhere: true, Column: wire.Column{Name: "id"}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "name", Kind: wire.Text, Required: true, NotNull: true, NotBlank: true, Max: 400}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "description", Kind: wire.Text, NotNull: true, Initial: wire.NewText("")}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{
		Name: "type", Kind: wire.Choice, Required: true, NotNull: true, Known: func(s string) bool { return api.SurveyType(s).Valid() },
	}},
	{Hosted: everywhere, Column: wire.Column{Name: "schedule", Kind: wire.Text, NotBlank: true, Initial: wire.NewText("once")}},
	{Documented: "rw", Hosted: "rw", IsElsewhere: true, Column: wire.Column{Name: "linked_flag"}},
	{Documented: everywhere, Hosted: "rq", IsElsewhere: true, Column: wire.Column{Name: "linked_flag_id", Kind: wire.Integer, Wide: true}},
	{Hosted: "rq", Column: wire.Column{Name: "linked_insight_id", Kind: wire.Integer, Wide: true}},
	{Documented: "rw", Hosted: "rw", IsElsewhere: true, Column: wire.Column{Name: "targeting_flag"}},
	{Documented: "wq", Hosted: "q", IsElsewhere: true, Column: wire.Column{Name: "targeting_flag_id", Kind: wire.Integer, Wide: true, NotNull: true}},
	{Documented: "rw", Hosted: "rw", IsElsewhere: true, Column: wire.Column{Name: "internal_targeting_flag"}},
	{Documented: "wq", Hosted: "q", IsElsewhere: true, Column: wire.Column{
		Name: "targeting_flag_filters", Kind: wire.Object, Refusal: "targeting_flag_filters must be an object",
	}},
	{Documented: "wq", Hosted: "q", IsElsewhere: true, Column: wire.Column{Name: "remove_targeting_flag", Kind: wire.Boolean}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "questions", Kind: wire.Objects, Refusal: "Questions must be a list of objects"}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "conditions"}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "appearance"}},
	{Documented: "rw", Hosted: "rw", Column: wire.Column{Name: "created_at", Kind: wire.Timestamp, ReadOnly: true}},
	{Documented: "rw", Hosted: "rw", IsElsewhere: true, Column: wire.Column{Name: "created_by"}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "start_date", Kind: wire.Timestamp}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "end_date", Kind: wire.Timestamp}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "archived", Kind: wire.Boolean, NotNull: true, Initial: wire.NewBool(false)}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "responses_limit", Kind: wire.Integer}},
	{Hosted: "r", IsElsewhere: true, Column: wire.Column{Name: "feature_flag_keys"}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "iteration_count", Kind: wire.Integer, Max: 500}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "iteration_frequency_days", Kind: wire.Integer}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "iteration_start_dates", Kind: wire.Timestamps}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "current_iteration", Kind: wire.Integer}},
	{Documented: everywhere, Hosted: everywhere, Column: wire.Column{Name: "current_iteration_start_date", Kind: wire.Timestamp}},
	{Hosted: everywhere, Column: wire.Column{Name: "response_sampling_start_date", Kind: wire.Timestamp}},
	{Hosted: everywhere, Column: wire.Column{
		Name: "response_sampling_interval_type", Kind: wire.Choice, Initial: wire.NewText("week"),
		Known: func(s string) bool { return s == "" || s == "day" || s == "week" || s == "month" },
	}},
	{Hosted: everywhere, Column: wire.Column{Name: "response_sampling_interval", Kind: wire.Integer}},
	{Hosted: everywhere, Column: wire.Column{Name: "response_sampling_limit", Kind: wire.Integer}},
	{Hosted: everywhere, Column: wire.Column{Name: "response_sampling_daily_limits"}},
	{Hosted: everywhere, Column: wire.Column{Name: "enable_partial_responses", Kind: wire.Boolean, Initial: wire.NewBool(false)}},
	{Hosted: everywhere, Column: wire.Column{Name: "enable_iframe_embedding", Kind: wire.Boolean, Initial: wire.NewBool(false)}},
	{Hosted: everywhere, Column: wire.Column{Name: "base_language", Kind: wire.Text, NotNull: true, Max: 20, Initial: wire.NewText("en")}},
	{Hosted: everywhere, Column: wire.Column{Name: "translations", Kind: wire.Object, Refusal: "Translations must be an object"}},
	{Hosted: "r", IsElsewhere: true, Column: wire.Column{Name: "user_access_level"}},
	{Hosted: "q", IsElsewhere: true, Column: wire.Column{Name: "_create_in_folder", Kind: wire.Text, NotNull: true}},
	{Hosted: everywhere, Column: wire.Column{Name: "form_content", Kind: wire.Object, Refusal: "form_content must be an object"}},
}

// SurveyTable describes the stored fields of a survey. It includes fields of the hosted profile, so that a fixtures
// document has the same meaning in every profile.
var SurveyTable = SurveyColumns(func(f SurveyField) bool { return !f.IsElsewhere })

// SurveyColumns returns a table of the selected fields.
func SurveyColumns(isAsked func(SurveyField) bool) *wire.Table {
	var columns []wire.Column
	for _, f := range SurveyFields {
		if isAsked(f) {
			columns = append(columns, f.Column)
		}
	}
	return wire.NewTable(columns...)
}

// Value returns a stored field.
func (s *Survey) Value(name string) wire.Value { return s.Values[SurveyTable.Index[name]] }

// Fields returns all stored fields of the survey by name.
func (s *Survey) Fields() wire.Fields {
	fields := wire.Fields{}
	for i, c := range SurveyTable.Columns {
		fields[c.Name] = s.Values[i]
	}
	return fields
}

// Further returns the extra members of a survey and the fields that only the hosted profile has,
// sorted by name. If complete is false, it omits fields that have their initial value.
func (s *Survey) Further(complete bool) []wire.Member {
	o := s.Object
	for _, f := range SurveyFields {
		if !f.IsElsewhere && f.Documented == "" && (complete || s.Value(f.Name).Spelling() != f.InitialValue().Spelling()) {
			o = o.WithMember(f.Name, s.Value(f.Name))
		}
	}
	return o.Extra
}

// Members that are stored with a survey but never shown. They contain the flag with which PostHog samples
// answers, whether the links to actions were cleared although the conditions still list them, and whether the
// conditions make every response with the survey fail.
const (
	SamplingFlagMember   = "internal_response_sampling_flag_id"
	ActionsClearedMember = "actions_cleared"
	UnreadableMember     = "unreadable"
)

// OwnFlags returns the IDs of the flags that belong to a survey, or 0 for missing ones. The linked flag does not
// belong to it.
func (s *Survey) OwnFlags() []int64 { return []int64{s.Targeting, s.Internal, s.SamplingFlag()} }

// SamplingFlag returns the ID of the sampling flag, or 0 if there is none.
func (s *Survey) SamplingFlag() int64 {
	id, err := strconv.ParseInt(s.Member(SamplingFlagMember).Spelling(), 10, 64)
	if err != nil {
		return 0
	}
	return id
}
