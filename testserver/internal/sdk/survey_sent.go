package sdk

import (
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// surveyIDProperty is the event property with the survey ID. answerProperties is the prefix of properties
// with answers.
const (
	surveyIDProperty = "$survey_id"
	answerProperties = "$survey_response"
)

// findProblem returns the problem of a "survey sent" event that PostHog accepts, but after which the
// answer is lost or the person is asked again. It returns nil for correct events and for other events.
func (x *Call) findProblem(e Event) *record.SurveyEvent {
	if store.EventName(e.Name) != store.Sent {
		return nil
	}

	survey, id := x.eventSurvey(e), e.Properties.Get(surveyIDProperty)
	problem := &record.SurveyEvent{SurveyID: shorten(id.Text()), IsLost: true}
	switch {
	case id.IsNull() && !e.Properties.Get("survey_id").IsNull():
		problem.Problem = "it has survey_id: rename the property to $survey_id"
	case id.IsNull():
		problem.Problem = "it has no $survey_id: set it to the ID of the survey"
	case survey == nil:
		problem.Problem = "the project has no survey with this $survey_id"
	case hasProperty(e.Properties, answerProperties):
		return x.missingRespondedProperty(e, survey)
	case hasProperty(e.Properties, strings.TrimPrefix(answerProperties, "$")):
		problem.Problem = "its answers do not start with $: rename them to $survey_response_QUESTION_ID"
	default:
		problem.Problem = "it has no answer: set $survey_response_QUESTION_ID"
	}
	return problem
}

func hasProperty(properties wire.Value, prefix string) bool {
	return slices.ContainsFunc(properties.Members(), func(m wire.Member) bool { return strings.HasPrefix(m.Name, prefix) })
}

// missingRespondedProperty returns the problem of an event after which PostHog offers the survey to the
// same person again, or nil if there is none.
func (x *Call) missingRespondedProperty(e Event, survey *store.Survey) *record.SurveyEvent {
	name := service.RespondedProperty(survey)
	change := e.PersonChange()
	if !change.IsKnown || !change.Set[name].IsNull() || !isAskedOnce(survey) || hasResponded(x.Store.Person(x.project.ID, e.DistinctID), name) {
		return nil
	}
	return &record.SurveyEvent{SurveyID: survey.ID.String(), Problem: "PostHog offers the survey to this person again: " + howToSet(name)}
}

// isAskedOnce reports whether PostHog must not offer the survey again to a person who has answered it.
func isAskedOnce(s *store.Survey) bool {
	return s.Text(store.SurveyTable, "type") != audience.External && s.Value("schedule").Text() != "always"
}

func hasResponded(p *store.Person, name string) bool {
	return p != nil && !p.Properties.Get(name).IsNull()
}

// howToSet describes how an app with its own form marks a person as having answered.
func howToSet(name string) string {
	return `send "survey sent" with $set: {"` + name + `": true}`
}

// shorten returns the first characters of a text that an app sent.
func shorten(text string) string {
	letters := []rune(text)
	return string(letters[:min(namedLetters, len(letters))])
}
