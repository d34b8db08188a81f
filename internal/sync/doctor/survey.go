package doctor

import (
	"encoding/json"
	"iter"
	"strings"
	"time"

	"github.com/agext/levenshtein"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
)

// Facts contains facts that are not part of a survey.
type Facts struct {
	Now time.Time
	// Responses counts the responses of a survey. CheckSurvey calls it only for surveys with a limit.
	Responses func(id string) responses.Number
	// ShowsSurveys is set if surveys are enabled in the project. IsKnown is set if this setting is readable.
	ShowsSurveys, IsKnown bool
}

// CheckSurvey explains why PostHog does not show a survey.
func CheckSurvey(survey api.Survey, facts Facts) []audience.Finding {
	f := findings(newAudienceSurvey(survey).Checks(facts.Now))
	f.limit(survey, facts)
	switch kind, _ := survey.Type.Get(); {
	case kind == api.ExternalSurvey:
		f.ok("project", "the public page of an external_survey does not depend on whether the project shows surveys")
	case !facts.IsKnown:
		f.warn("project", "could not read whether the project shows surveys. Check its settings, or add the scope project:read to the key")
	case !facts.ShowsSurveys:
		f = append(f, audience.ProjectOff())
	default:
		f.ok("project", "surveys are switched on")
	}
	return f
}

// limit checks whether the survey has reached its responses_limit.
func (f *findings) limit(survey api.Survey, facts Facts) {
	limit, err := survey.ResponsesLimit.Get()
	if err != nil {
		f.ok("limit", "none")
		return
	}
	switch number := facts.Responses(orZero(survey.ID)); {
	case number.Counted >= limit:
		f.fail("limit", "responses_limit is %d, and the survey has %s: raise the limit", limit, number)
	case !number.IsKnown():
		f.warn("limit", "responses_limit is %d, and the survey has %s: %s", limit, number, number.Reason)
	default:
		f.ok("limit", "%s, of %d", number, limit)
	}
}

// newAudienceSurvey returns the settings of a survey that decide to whom it is shown.
func newAudienceSurvey(survey api.Survey) *audience.Survey {
	kind, _ := survey.Type.Get() // empty if not set; the same is true for the fields below
	schedule, _ := survey.Schedule.Get()
	archived, _ := survey.Archived.Get()
	conditions, _ := survey.Conditions.Get()
	appearance, _ := survey.Appearance.Get()
	return &audience.Survey{
		ID: orZero(survey.ID), Type: string(kind), IsArchived: archived, Start: parseDate(survey.StartDate), End: parseDate(survey.EndDate),
		Linked: newFlag(survey.LinkedFlag), Targeting: newFlag(survey.TargetingFlag), Internal: newFlag(survey.InternalTargetingFlag),
		Schedule: string(schedule), Conditions: decodeJSON(conditions), Appearance: decodeJSON(appearance),
	}
}

// newFlag converts a survey's flag, or returns nil if there is none. Missing fields get the values of an
// enabled flag.
func newFlag(field nullable.Nullable[api.FeatureFlag]) *audience.Flag {
	flag, err := field.Get()
	if err != nil {
		return nil
	}
	d := audience.Definition{ID: orZero(flag.ID), Key: orZero(flag.Key), Active: flag.Active == nil || *flag.Active, Deleted: orZero(flag.Deleted)}
	if filters, err := json.Marshal(flag.Filters); err == nil {
		d.Filters = decodeJSON(filters)
	}
	return audience.NewFlag(d)
}

// FindSurvey returns the survey with the given name or ID. If no survey matches, nearest is the most
// similar name. It is empty if no name is similar.
func FindSurvey(surveys iter.Seq2[api.Survey, error], name string) (survey api.Survey, found bool, nearest string, err error) {
	distance := len(name)
	for survey, err := range surveys {
		if err != nil {
			return api.Survey{}, false, "", err
		}
		otherName, _ := survey.Name.Get() // empty if null
		if otherName == name || survey.ID != nil && *survey.ID == name {
			return survey, true, "", nil
		}
		if d := levenshtein.Distance(strings.ToLower(otherName), strings.ToLower(name), nil); d < distance {
			nearest, distance = otherName, d
		}
	}
	return api.Survey{}, false, nearest, nil
}

// parseDate parses a date from PostHog. It returns the zero time for null and for invalid dates.
func parseDate(field nullable.Nullable[string]) time.Time {
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

// orZero returns the value that a pointer points to, or the zero value if the pointer is nil.
func orZero[T any](value *T) T {
	if value == nil {
		value = new(T)
	}
	return *value
}

// decodeJSON decodes a JSON value. It returns nil if the value is invalid.
func decodeJSON(raw json.RawMessage) any {
	value, err := jsonvalue.Decode(raw)
	if err != nil {
		return nil
	}
	return value
}
