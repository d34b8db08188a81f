package store

import (
	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Survey is a stored survey; its object has the columns of SurveyTable. Flags and
// author are ids, 0 for none.
type Survey struct {
	Object
	SortKey
	ID      uuid.UUID
	Project int64
	// Name is the decoded column, for lookups.
	Name                        string
	Linked, Targeting, Internal int64
	Author                      int64
	// Cleaned are the fields that are returned in another form than they are stored.
	Cleaned rawjson.Fields
}

func (s *Survey) sortKey() SortKey { return s.SortKey }

// IsRunning reports whether a survey is launched, not stopped and not archived.
func (s *Survey) IsRunning() bool {
	return !s.IsNull(SurveyTable, "start_date") && s.IsNull(SurveyTable, "end_date") && !s.IsTrue(SurveyTable, "archived")
}

// SurveyTable are the request fields of a survey that are stored as they are sent, in the
// order in which the service checks them, and created_at.
var SurveyTable = field.NewTable(
	field.Column{Name: "name", Kind: field.Text, Required: true, NotNull: true, NotBlank: true, Max: 400},
	field.Column{Name: "description", Kind: field.Text, NotNull: true, Initial: `""`},
	field.Column{Name: "type", Kind: field.Choice, Required: true, NotNull: true, Known: func(s string) bool { return api.SurveyType(s).Valid() }},
	field.Column{Name: "questions", Kind: field.Objects, Refusal: "Questions must be a list of objects"},
	field.Column{Name: "conditions"},
	field.Column{Name: "appearance"},
	field.Column{Name: "start_date", Kind: field.Timestamp},
	field.Column{Name: "end_date", Kind: field.Timestamp},
	field.Column{Name: "archived", Kind: field.Boolean, NotNull: true, Initial: "false"},
	field.Column{Name: "responses_limit", Kind: field.Integer},
	field.Column{Name: "iteration_count", Kind: field.Integer, Max: 500},
	field.Column{Name: "iteration_frequency_days", Kind: field.Integer},
	field.Column{Name: "iteration_start_dates", Kind: field.Timestamps},
	field.Column{Name: "current_iteration", Kind: field.Integer},
	field.Column{Name: "current_iteration_start_date", Kind: field.Timestamp},
	field.Column{Name: "created_at", Kind: field.Timestamp, ReadOnly: true},
)

// The indexes of columns that are needed often.
var (
	ConditionsColumn = SurveyTable.Index["conditions"]
	CreatedAtColumn  = SurveyTable.Index["created_at"]
)
