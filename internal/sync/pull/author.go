package pull

import (
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
)

// logFieldNames returns the fields in the activity log that record changes of an argument.
func logFieldNames(argument string) []string {
	switch argument {
	case "status":
		return []string{"start_date", "end_date"}
	case "targeting_flag_filters", "targeting_flag_id":
		return []string{"targeting_flag_filters", "targeting_flag_id", "targeting_flag"}
	}
	return []string{argument}
}

// Author finds a finding's edit in the activity log entries of its object, and sets its author and time.
func (f *Finding) Author(entries []framework.ActivityEntry) {
	argument := Root(f.Attribute)
	for _, entry := range entries { // newest first
		isSameObject := entry.ID.IsNull() || entry.ID.ValueString() == f.Resource.ID
		if isSameObject && (argument == "" || slices.Contains(logFieldNames(argument), entry.Field.ValueString())) {
			f.By, f.At = entry.User.ValueString(), entry.At.ValueString()
			return
		}
	}
}
