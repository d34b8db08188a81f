package survey

import "github.com/hashicorp/terraform-plugin-framework/types"

// The three states of a survey. The service has no status: it has a start date and an end
// date, in any order.
const (
	StatusDraft     = "draft"
	StatusRunning   = "running"
	StatusCompleted = "completed"
)

// StatusByDates derives the status of a survey from its dates.
func StatusByDates(start, end types.String) types.String {
	switch {
	case start.IsUnknown() || end.IsUnknown():
		return types.StringUnknown()
	case !end.IsNull():
		return types.StringValue(StatusCompleted)
	case !start.IsNull():
		return types.StringValue(StatusRunning)
	}
	return types.StringValue(StatusDraft)
}

// IsRunning reports whether a survey is launched, not over and not archived.
func IsRunning(f Fields) bool {
	return StatusByDates(f.StartDate, f.EndDate).ValueString() == StatusRunning && !f.Archived.ValueBool()
}

// StatusOf is the status of a survey with these dates; nil for none.
func StatusOf(start, end *string) string {
	return StatusByDates(types.StringPointerValue(start), types.StringPointerValue(end)).ValueString()
}
