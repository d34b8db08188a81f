package doctor

import (
	"iter"
	"strings"
	"time"

	"github.com/agext/levenshtein"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
)

// Facts are what a survey itself does not tell.
type Facts struct {
	Now time.Time
	// Responses tells how many responses a survey has. It is asked where there is a limit.
	Responses func(id string) responses.Number
	// ShowsSurveys is set when the project shows surveys at all, IsKnown when that can be read.
	ShowsSurveys, IsKnown bool
}

// CheckSurvey finds out why a survey is not shown.
func CheckSurvey(survey api.Survey, facts Facts) []Finding {
	v := visibility{survey: survey, facts: facts}
	v.checkSchedule()
	v.checkType()
	v.checkFlag("linked flag", survey.LinkedFlag)
	v.checkFlag("targeting", survey.TargetingFlag)
	v.checkInternalFlag()
	v.checkConditions()
	v.checkLimit()
	v.checkProject()
	return v.findings
}

// FindSurvey returns the survey with a name or id. If there is none, nearest is the most
// similar name; empty when none is.
func FindSurvey(surveys iter.Seq2[api.Survey, error], name string) (survey api.Survey, found bool, nearest string, err error) {
	distance := len(name)
	for survey, err := range surveys {
		if err != nil {
			return api.Survey{}, false, "", err
		}
		other, _ := survey.Name.Get() // empty for none
		if other == name || survey.ID != nil && *survey.ID == name {
			return survey, true, "", nil
		}
		if d := levenshtein.Distance(strings.ToLower(other), strings.ToLower(name), nil); d < distance {
			nearest, distance = other, d
		}
	}
	return api.Survey{}, false, nearest, nil
}

// visibility checks everything that may prevent a survey from being shown.
type visibility struct {
	findings
	survey api.Survey
	facts  Facts
}

// checkSchedule checks the draft, the dates and the archive. The service has no schedule: a
// survey with a start date runs and one with an end date is over, whatever the dates.
func (v *visibility) checkSchedule() {
	start, end := dateOf(v.survey.StartDate), dateOf(v.survey.EndDate)
	switch {
	case v.isArchived():
		v.fail("status", Archived)
	case end.After(v.facts.Now):
		v.fail("status", EndsLater, Finding{Time: end})
	case !end.IsZero():
		v.fail("status", Stopped, Finding{Time: end})
	case start.IsZero():
		v.fail("status", Draft)
	case start.After(v.facts.Now):
		v.ok("status", StartsLater, Finding{Time: start})
	default:
		v.ok("status", Running, Finding{Time: start})
	}
}

func (v *visibility) isArchived() bool {
	archived, err := v.survey.Archived.Get()
	return err == nil && archived
}

// checkType reports the types that no page shows by itself.
func (v *visibility) checkType() {
	kind, err := v.survey.Type.Get()
	switch {
	case err != nil:
		v.warn("type", TypeMissing)
	case kind == "api":
		v.warn("type", TypeAPI)
	case kind == "external_survey":
		v.warn("type", TypeExternal)
	default:
		v.ok("type", TypeShown, Finding{Name: string(kind)})
	}
}

// checkProject checks whether the project shows surveys at all.
func (v *visibility) checkProject() {
	switch kind, _ := v.survey.Type.Get(); {
	case kind == "external_survey":
		v.ok("project", ProjectNotAsked)
	case !v.facts.IsKnown:
		v.warn("project", ProjectUnknown)
	case !v.facts.ShowsSurveys:
		v.fail("project", ProjectOff)
	default:
		v.ok("project", ProjectSwitchedOn)
	}
}

// checkLimit checks whether the survey has reached its responses_limit.
func (v *visibility) checkLimit() {
	limit, err := v.survey.ResponsesLimit.Get()
	if err != nil {
		v.ok("limit", LimitNone)
		return
	}

	number := v.facts.Responses(text(v.survey.ID))
	data := Finding{Number: number, Limit: limit}
	switch {
	case number.Counted >= limit:
		v.fail("limit", LimitReached, data)
	case !number.IsKnown():
		v.warn("limit", LimitUncountable, data)
	default:
		v.ok("limit", LimitNotReached, data)
	}
}

// dateOf is a date of the service; zero for null and for an invalid date.
func dateOf(field nullable.Nullable[string]) time.Time {
	text, err := field.Get()
	if err != nil {
		return time.Time{}
	}
	parsed, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return parsed
}

// text is a string that may be nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
