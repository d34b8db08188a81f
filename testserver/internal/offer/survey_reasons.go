package offer

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/evaluation"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Survey is what of a survey decides to whom it is offered.
type Survey struct {
	ID   string
	Type string
	// Iteration is the one that runs; 0 for a survey without.
	Iteration  int64
	IsArchived bool
	// Start and End are zero for none. The service has no schedule: a survey with a start date
	// runs, and one with an end date is over, whatever the dates.
	Start, End time.Time
	// IsProjectOff is set when the project shows no surveys.
	IsProjectOff bool
	// Linked, Targeting and Internal are its flags; nil for none.
	Linked, Targeting, Internal *evaluation.Flag
	// Schedule and Conditions are as they are stored; conditions that are no object are none.
	Schedule   string
	Conditions json.RawMessage
}

// External is the type of surveys that have a page of their own.
const External = "external_survey"

// Reasons are why nobody is offered a survey, whoever it is; none when it depends on the person.
func (s *Survey) Reasons(now time.Time) []string {
	var reasons []string
	switch {
	case s.IsArchived:
		reasons = append(reasons, "status: it is archived: set archived = false")
	case s.End.After(now):
		reasons = append(reasons, fmt.Sprintf("status: it is over, although its end_date is %s: the service has no schedule, and a survey with any end_date is completed; "+
			`resume it with status = "running"`, s.End.Format(time.RFC3339)))
	case !s.End.IsZero():
		reasons = append(reasons, fmt.Sprintf(`status: it was stopped at %s: resume it with status = "running"`, s.End.Format(time.RFC3339)))
	case s.Start.IsZero():
		reasons = append(reasons, `status: it is a draft: launch it with status = "running", or in the web interface`)
	}

	if s.Type == External {
		return append(reasons, "type: an external_survey is shown only on its own page")
	}
	if s.IsProjectOff {
		reasons = append(reasons, "project: surveys are switched off in the project: switch them on in its settings, under Surveys")
	}
	return reasons
}

// isRunning reports whether a survey is launched and not over.
func (s *Survey) isRunning() bool { return !s.IsArchived && !s.Start.IsZero() && s.End.IsZero() }

// comesAgain reports whether SDKs show a survey to people who have answered it, and do not ask
// for its internal flag.
func (s *Survey) comesAgain() bool {
	events := rawjson.Lookup(s.Conditions, "events")
	values := rawjson.Lookup(events, "values")
	hasEvents := rawjson.IsArray(values) && len(rawjson.List(values)) > 0
	return s.Schedule == "always" || hasEvents && string(rawjson.Lookup(events, "repeatedActivation")) == "true"
}

// asked is what the properties of a person that tell of a survey are named after.
func (s *Survey) asked() string {
	if s.Iteration > 0 {
		return s.ID + "/" + strconv.FormatInt(s.Iteration, 10)
	}
	return s.ID
}
