package survey

import "github.com/hashicorp/terraform-plugin-framework/types"

// The three states of a survey. The service has no status: it has a start date and an end
// date, in any order.
const (
	statusDraft     = "draft"
	statusRunning   = "running"
	statusCompleted = "completed"
)

// statusOf derives the status of a survey from its dates.
func statusOf(start, end types.String) types.String {
	switch {
	case start.IsUnknown() || end.IsUnknown():
		return types.StringUnknown()
	case !end.IsNull():
		return types.StringValue(statusCompleted)
	case !start.IsNull():
		return types.StringValue(statusRunning)
	}
	return types.StringValue(statusDraft)
}

// isRunning reports whether a survey is launched, not over and not archived.
func isRunning(f Fields) bool {
	return statusOf(f.StartDate, f.EndDate).ValueString() == statusRunning && !f.Archived.ValueBool()
}

// StatusOf is the status of a survey with these dates; nil for none.
func StatusOf(start, end *string) string {
	return statusOf(types.StringPointerValue(start), types.StringPointerValue(end)).ValueString()
}
