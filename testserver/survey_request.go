package testserver

import (
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// surveyRequest are all request fields of a survey: the stored ones and those that change its
// flags.
var surveyRequest = func() *field.Table {
	var columns []field.Column
	for _, c := range store.SurveyTable.Columns {
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
