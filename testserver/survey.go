package testserver

import (
	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// survey is a stored survey; its object has the columns of surveyTable. Flags and
// author are ids, 0 for none.
type survey struct {
	object
	place
	id      uuid.UUID
	project int64
	// name is the decoded column, for lookups.
	name                        string
	linked, targeting, internal int64
	author                      int64
	// cleaned are the fields that are returned in another form than they are stored.
	cleaned rawjson.Fields
}

func (s *survey) where() place { return s.place }

// isRunning reports whether a survey is launched, not stopped and not archived.
func (s *survey) isRunning() bool {
	return !s.isNull(surveyTable, "start_date") && s.isNull(surveyTable, "end_date") && !s.isTrue(surveyTable, "archived")
}

// surveyTable are the request fields of a survey that are stored as they are sent, in the
// order in which the service checks them, and created_at.
var surveyTable = field.NewTable(
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
	conditionsColumn = surveyTable.Index["conditions"]
	createdAtColumn  = surveyTable.Index["created_at"]
)

// surveyRequest are all request fields of a survey: the stored ones and those that change its
// flags.
var surveyRequest = func() *field.Table {
	var columns []field.Column
	for _, c := range surveyTable.Columns {
		if columns = append(columns, c); c.Name == "type" {
			columns = append(columns,
				field.Column{Name: "linked_flag_id", Kind: field.Integer, Wide: true},
				field.Column{Name: "targeting_flag_id", Kind: field.Integer, Wide: true, NotNull: true},
				field.Column{Name: "targeting_flag_filters", Kind: field.Object, Refusal: "Targeting flag filters must be an object"},
				field.Column{Name: "remove_targeting_flag", Kind: field.Boolean},
			)
		}
	}
	return field.NewTable(columns...)
}()
