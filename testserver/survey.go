package testserver

import (
	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
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
var surveyTable = newTable(
	column{name: "name", kind: text, required: true, notNull: true, filled: true, max: 400},
	column{name: "description", kind: text, notNull: true, initial: `""`},
	column{name: "type", kind: choice, required: true, notNull: true, known: func(s string) bool { return api.SurveyType(s).Valid() }},
	column{name: "questions", kind: jsonObjects, refusal: "Questions must be a list of objects"},
	column{name: "conditions"},
	column{name: "appearance"},
	column{name: "start_date", kind: moment},
	column{name: "end_date", kind: moment},
	column{name: "archived", kind: boolean, notNull: true, initial: "false"},
	column{name: "responses_limit", kind: integer},
	column{name: "iteration_count", kind: integer, max: 500},
	column{name: "iteration_frequency_days", kind: integer},
	column{name: "iteration_start_dates", kind: moments},
	column{name: "current_iteration", kind: integer},
	column{name: "current_iteration_start_date", kind: moment},
	column{name: "created_at", kind: moment, readOnly: true},
)

// The indexes of columns that are needed often.
var (
	conditionsColumn = surveyTable.index["conditions"]
	createdAtColumn  = surveyTable.index["created_at"]
)

// surveyRequest are all request fields of a survey: the stored ones and those that change its
// flags.
var surveyRequest = func() *table {
	var columns []column
	for _, c := range surveyTable.columns {
		if columns = append(columns, c); c.name == "type" {
			columns = append(columns,
				column{name: "linked_flag_id", kind: integer, wide: true},
				column{name: "targeting_flag_id", kind: integer, wide: true, notNull: true},
				column{name: "targeting_flag_filters", kind: jsonObject, refusal: "Targeting flag filters must be an object"},
				column{name: "remove_targeting_flag", kind: boolean},
			)
		}
	}
	return newTable(columns...)
}()

func surveyColumn(name string) column { return surveyTable.columns[surveyTable.index[name]] }
