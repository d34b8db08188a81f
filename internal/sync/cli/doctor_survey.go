package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/agext/levenshtein"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
)

// checkSurvey finds out why a survey is not shown.
func (d *doctor) checkSurvey(ctx context.Context, name string) error {
	e, err := d.program.environment()
	if err != nil {
		return err
	}
	if e.ProjectID == "" {
		return fmt.Errorf("environment %q has no project_id (POSTHOG_PROJECT_ID), so it has no surveys", e.Name)
	}
	side, err := d.program.live(e, d.program.selection())
	if err != nil {
		return err
	}
	survey, err := findSurvey(ctx, side, name)
	if err != nil {
		return err
	}

	shown := visibility{doctor: d, survey: survey}
	shown.checkSchedule()
	shown.checkType()
	shown.checkFlag("linked flag", survey.LinkedFlag)
	shown.checkFlag("targeting", survey.TargetingFlag)
	shown.checkInternalFlag()
	shown.checkConditions()
	shown.checkLimit(func(id string) responses.Number {
		return responses.NewCounter(side.client.Surveys(e.ProjectID), nil).Of(ctx, id)
	})
	shown.checkProject(side.client.Surveys(e.ProjectID).SwitchedOn(ctx))
	return nil
}

// findSurvey returns the survey with a name or id. The error suggests the most similar name.
func findSurvey(ctx context.Context, side *live, name string) (api.Survey, error) {
	nearest, distance := "", len(name)
	for survey, err := range side.surveys(ctx) {
		if err != nil {
			return api.Survey{}, err
		}
		other := orEmpty(survey.Name)
		if other == name || survey.ID != nil && *survey.ID == name {
			return survey, nil
		}
		if d := levenshtein.Distance(strings.ToLower(other), strings.ToLower(name), nil); d < distance {
			nearest, distance = other, d
		}
	}
	if nearest != "" {
		return api.Survey{}, fmt.Errorf("project %s has no survey %q; did you mean %q?", side.ProjectID, name, nearest)
	}
	return api.Survey{}, fmt.Errorf("project %s has no survey %q", side.ProjectID, name)
}

// visibility checks everything that may prevent a survey from being shown.
type visibility struct {
	*doctor
	survey api.Survey
}

// checkSchedule checks the draft, the dates and the archive. The service has no schedule: a
// survey with a start date runs and one with an end date is over, whatever the dates.
func (v visibility) checkSchedule() {
	start, end, now := instant(v.survey.StartDate), instant(v.survey.EndDate), v.program.now()
	switch {
	case v.isArchived():
		v.fail("status", "it is archived: set archived = false")
	case end.After(now):
		v.fail("status", `it is over, although its end_date is %s: the service has no schedule, and a survey with any end_date is completed; resume it with status = "running"`, end.Format(time.RFC3339))
	case !end.IsZero():
		v.fail("status", `it was stopped at %s: resume it with status = "running"`, end.Format(time.RFC3339))
	case start.IsZero():
		v.fail("status", `it is a draft: launch it with status = "running", or in the web interface`)
	case start.After(now):
		v.ok("status", "it runs, although its start_date is %s: the service has no schedule, and a survey with any start_date is launched", start.Format(time.RFC3339))
	default:
		v.ok("status", "it has been running since %s", start.Format(time.RFC3339))
	}
}

func (v visibility) isArchived() bool {
	archived, err := v.survey.Archived.Get()
	return err == nil && archived
}

// checkType reports the types that no page shows by itself.
func (v visibility) checkType() {
	kind, err := v.survey.Type.Get()
	switch {
	case err != nil:
		v.warn("type", "it has none")
	case kind == "api":
		v.warn("type", "an api survey is shown only by your own code")
	case kind == "external_survey":
		v.warn("type", "an external_survey is shown only on its own page")
	default:
		v.ok("type", "%s", kind)
	}
}

// checkProject checks whether the project shows surveys at all.
func (v visibility) checkProject(on, known bool) {
	switch kind, _ := v.survey.Type.Get(); {
	case kind == "external_survey":
		v.ok("project", "the page of an external_survey does not ask whether the project shows surveys")
	case !known:
		v.warn("project", "whether the project shows surveys cannot be read: check its settings, or give the key the scope project:read")
	case !on:
		v.fail("project", "surveys are switched off in the project: switch them on in its settings, under Surveys")
	default:
		v.ok("project", "surveys are switched on")
	}
}

// checkFlag checks a flag that has to be on for the respondent.
func (v visibility) checkFlag(check string, field nullable.Nullable[api.FeatureFlag]) {
	flag, err := field.Get()
	if err != nil {
		v.ok(check, "none, so everyone is asked")
		return
	}
	key := fmt.Sprintf("feature flag %q", text(flag.Key))
	switch {
	case flag.Deleted != nil && *flag.Deleted:
		v.fail(check, "%s is deleted: link another one", key)
	case flag.Active != nil && !*flag.Active:
		v.fail(check, "%s is switched off: switch it on", key)
	case !reachesAnyone(flag):
		v.fail(check, "%s is rolled out to 0 %%: raise rollout_percentage", key)
	default:
		v.ok(check, "%s is on", key)
	}
}

// checkInternalFlag checks the flag by which the service hides a survey from people who have
// answered it.
func (v visibility) checkInternalFlag() {
	flag, err := v.survey.InternalTargetingFlag.Get()
	isOver := v.isArchived() || !instant(v.survey.EndDate).IsZero()
	if err != nil || flag.Active == nil || *flag.Active || isOver || instant(v.survey.StartDate).IsZero() {
		return
	}
	v.fail("internal flag", "feature flag %q, which the service keeps, is off although the survey runs: stop and launch it again", text(flag.Key))
}

// reachesAnyone reports whether a group of a flag is rolled out to more than 0 %.
func reachesAnyone(flag api.FeatureFlag) bool {
	var groups []struct {
		Rollout *float64 `json:"rollout_percentage"`
	}
	raw, ok := flag.Filters["groups"]
	if !ok || json.Unmarshal(raw, &groups) != nil {
		return true
	}
	for _, group := range groups {
		if group.Rollout == nil || *group.Rollout > 0 {
			return true
		}
	}
	return false
}

// surveyConditions are the conditions that decide where a survey is shown.
type surveyConditions struct {
	URL               string   `json:"url"`
	URLMatchType      string   `json:"urlMatchType"`
	Selector          string   `json:"selector"`
	DeviceTypes       []string `json:"deviceTypes"`
	LinkedFlagVariant string   `json:"linkedFlagVariant"`
	WaitDays          float64  `json:"seenSurveyWaitPeriodInDays"`
	Events            *named   `json:"events"`
	Actions           *named   `json:"actions"`
}

type named struct {
	Values []struct {
		Name string `json:"name"`
	} `json:"values"`
}

// checkConditions reports conditions that can never be met, and lists the others.
func (v visibility) checkConditions() {
	conditions, err := decodeConditions(v.survey.Conditions)
	if err != nil {
		v.warn("conditions", "cannot be read: %v", err)
		return
	}
	v.checkURL(conditions)
	v.checkVariant(conditions)
	if conditions.DeviceTypes != nil && len(conditions.DeviceTypes) == 0 {
		v.fail("conditions", "deviceTypes is an empty list, which no device is in: name devices, or remove it")
	}

	if needs := conditions.needs(); len(needs) > 0 {
		v.ok("conditions", "shown only when %s", strings.Join(needs, ", and "))
	}
}

// needs are the conditions in words, sorted.
func (c surveyConditions) needs() []string {
	var needs []string
	add := func(isSet bool, format string, args ...any) {
		if isSet {
			needs = append(needs, fmt.Sprintf(format, args...))
		}
	}

	events, actions, devices := c.Events.names(), c.Actions.names(), strings.Join(c.DeviceTypes, ", ")
	add(c.Selector != "", "an element matches %s", c.Selector)
	add(devices != "", "the device is one of %s", devices)
	add(events != "", "one of these events was sent: %s", events)
	add(actions != "", "one of these actions was done: %s", actions)
	add(c.WaitDays > 0, "no other survey was seen for %g days", c.WaitDays)
	add(c.URL != "", "the address %s %q", orIs(c.URLMatchType), c.URL)
	slices.Sort(needs)
	return needs
}

// checkURL checks that a regular expression for the URL compiles.
func (v visibility) checkURL(c surveyConditions) {
	if c.URLMatchType != "regex" && c.URLMatchType != "not_regex" {
		return
	}
	if _, err := regexp.Compile(c.URL); err != nil {
		v.warn("conditions", "url %q may not be a valid regular expression, and then matches no page: %v", c.URL, err)
	}
}

// checkVariant checks that the linked flag has the variant that the conditions ask for.
func (v visibility) checkVariant(c surveyConditions) {
	if c.LinkedFlagVariant == "" || c.LinkedFlagVariant == "any" {
		return
	}

	flag, err := v.survey.LinkedFlag.Get()
	if err != nil {
		v.fail("conditions", "linkedFlagVariant is %q, and no flag is linked: set linked_flag_id, or remove linkedFlagVariant", c.LinkedFlagVariant)
		return
	}

	var multivariate struct {
		Variants []struct {
			Key string `json:"key"`
		} `json:"variants"`
	}
	if json.Unmarshal(flag.Filters["multivariate"], &multivariate) != nil {
		return
	}
	for _, variant := range multivariate.Variants {
		if variant.Key == c.LinkedFlagVariant {
			return
		}
	}
	v.fail("conditions", "linkedFlagVariant is %q, and feature flag %q has no such variant", c.LinkedFlagVariant, text(flag.Key))
}

// checkLimit checks whether the survey has reached its responses_limit.
func (v visibility) checkLimit(responsesOf func(id string) responses.Number) {
	limit, err := v.survey.ResponsesLimit.Get()
	if err != nil {
		v.ok("limit", "none")
		return
	}

	switch number := responsesOf(text(v.survey.ID)); {
	case number.Counted >= limit:
		v.fail("limit", "responses_limit is %d, and there are %s answers: raise it", limit, number)
	case !number.IsKnown():
		v.warn("limit", "responses_limit is %d, and the number of answers is %s: %s", limit, number, number.Reason)
	default:
		v.ok("limit", "%s of %d answers", number, limit)
	}
}

// decodeConditions reads conditions in either form, an object or its JSON text.
func decodeConditions(field nullable.Nullable[json.RawMessage]) (surveyConditions, error) {
	var c surveyConditions
	raw, err := field.Get()
	if err != nil || len(raw) == 0 {
		return c, nil //nolint:nilerr // null or missing: there are none
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return c, errors.New("they are not an object of the known form")
	}
	return c, nil
}

// names are the names of events or actions, quoted.
func (n *named) names() string {
	if n == nil {
		return ""
	}
	var names []string
	for _, value := range n.Values {
		names = append(names, fmt.Sprintf("%q", value.Name))
	}
	return strings.Join(names, ", ")
}

func orIs(matchType string) string {
	if matchType == "" {
		return "icontains"
	}
	return matchType
}

// instant is a date of the service; zero for null and for an invalid date.
func instant(field nullable.Nullable[string]) time.Time {
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
