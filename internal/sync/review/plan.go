package review

import (
	"reflect"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// Event is an effect of a change on a survey as a whole.
type Event string

// The events of surveys.
const (
	Created  Event = "created"
	Launched Event = "launched"
	Stopped  Event = "stopped"
	Resumed  Event = "resumed"
	Archived Event = "archived"
	// Unarchived is a survey that leaves the archive; one that runs is shown again.
	Unarchived      Event = "unarchived"
	UnarchivedToRun Event = "unarchived: shown again"
	Deleted         Event = "deleted"
	Replaced        Event = "replaced"
	Released        Event = "no longer managed"
	// MayRun is a survey whose status is known only after apply.
	MayRun Event = "launched or stopped: known after apply"
)

// launches reports whether people are asked from now on, or may be.
func (e Event) launches() bool {
	return slices.Contains([]Event{Launched, Resumed, UnarchivedToRun, MayRun}, e)
}

// SurveyChange is the effect of a plan on one survey and its respondents.
type SurveyChange struct {
	Name    string `json:"name"`
	ID      string `json:"id,omitempty"`
	Address string `json:"address"`

	Events []Event `json:"events"`
	// LaunchedTo says to whom a survey is launched: whom, where, how often and until when. It is
	// empty when it is not. IsUnbounded is set when that is everybody, without an end.
	LaunchedTo  string `json:"launched_to,omitempty"`
	IsUnbounded bool   `json:"launched_unbounded,omitempty"`
	// OnceLaunched says the same of a survey that is created and not launched.
	OnceLaunched string           `json:"asks_once_launched,omitempty"`
	Questions    []QuestionChange `json:"questions"`
	// Changes are what else respondents notice, such as who is asked and where.
	Changes []Row `json:"changes,omitempty"`
	// QuestionsUnknown is set when the questions are known only after apply.
	QuestionsUnknown bool `json:"questions_unknown,omitempty"`
	// Redirects are the answers that lead elsewhere because questions moved.
	Redirects []Redirect `json:"redirects,omitempty"`
	// Responses is the number of responses of the survey, nil when it is not known. Then
	// ResponsesReason says why, and ResponsesCounted how many there are at least.
	Responses        *int64 `json:"responses"`
	ResponsesReason  string `json:"responses_reason,omitempty"`
	ResponsesCounted int64  `json:"responses_counted,omitempty"`
	// DetachesAnswers is set when questions with answers lose them, or may: when the number
	// of responses or the questions are not known.
	DetachesAnswers bool `json:"detaches_answers"`
	// FlowBefore and FlowAfter are the questions before and after the change; both are nil
	// when the flow stays the same.
	FlowBefore []Question `json:"flow_before,omitempty"`
	FlowAfter  []Question `json:"flow_after,omitempty"`
}

// Plan reviews the changes of a plan, one result a survey. counts are the numbers of
// responses by survey id; a survey that is missing there has an unknown number.
func Plan(changes []tfplan.Change, counts map[string]responses.Number) ([]SurveyChange, error) {
	var surveys []SurveyChange
	for _, change := range changes {
		object := change.After
		if object == nil {
			object = change.Before
		}
		if object.Kind != source.Survey {
			continue
		}

		reviewed, err := reviewSurvey(change, *object, counts)
		if err != nil {
			return nil, err
		}
		surveys = append(surveys, reviewed)
	}
	return surveys, nil
}

func reviewSurvey(change tfplan.Change, object source.Object, counts map[string]responses.Number) (SurveyChange, error) {
	reviewed := SurveyChange{Name: object.Name, ID: object.ID, Address: object.Address, Events: events(change)}
	if change.Before != nil {
		reviewed.ID = change.Before.ID
		if slices.Contains(object.Unknown, "name") {
			reviewed.Name = change.Before.Name
		}
	}

	before, after, err := questionPair(change)
	if err != nil {
		return SurveyChange{}, err
	}
	reviewed.compare(change, before, after)
	reviewed.Changes = surveyRows(change)
	if slices.ContainsFunc(reviewed.Events, Event.launches) {
		reviewed.LaunchedTo, reviewed.IsUnbounded = describeLaunch(*change.After)
	} else if slices.Contains(reviewed.Events, Created) || slices.Contains(reviewed.Events, Replaced) && change.After != nil {
		reviewed.OnceLaunched = LaunchAudience(*change.After)
	}

	number, isAsked := counts[reviewed.ID]
	if !isAsked && change.Before != nil {
		number.Reason = "nobody counted them" // a new survey has none
	}
	reviewed.Responses, reviewed.ResponsesReason, reviewed.ResponsesCounted = number.Known(), number.Reason, number.Counted

	dropped := slices.ContainsFunc(reviewed.Questions, func(q QuestionChange) bool {
		return q.Kind == Dropped || q.Kind == Reattached && (q.Lost == nil || *q.Lost > 0)
	})
	mayDrop := reviewed.QuestionsUnknown && change.Before != nil
	reviewed.DetachesAnswers = (dropped || mayDrop) && !number.IsNone()
	return reviewed, nil
}

// Number is the number of responses of the survey.
func (s *SurveyChange) Number() responses.Number {
	return responses.Number{Counted: s.ResponsesCounted, Reason: s.ResponsesReason}
}

// compare sets what becomes of the questions and of the flow.
func (s *SurveyChange) compare(change tfplan.Change, before, after []Question) {
	if change.After != nil && slices.Contains(change.After.Unknown, "questions") {
		s.QuestionsUnknown, s.Questions = true, []QuestionChange{}
		return
	}

	unknown, _ := change.AfterUnknown["questions"].([]any)
	switch {
	case stays(change) && change.After == nil:
		s.Questions = questionChanges(before, before, nil, nil)
		return
	case stays(change) && change.Replace:
		s.Questions = append(questionChanges(before, before, nil, nil), questionChanges(nil, after, unknown, nil)...)
	case change.Replace || change.After == nil:
		// A deleted survey loses its answers, whatever its replacement asks.
		s.Questions = append(questionChanges(before, nil, nil, nil), questionChanges(nil, after, unknown, nil)...)
	default:
		s.Questions = questionChanges(before, after, unknown, change.Detached)
		s.Redirects = redirects(before, after, s.Questions)
	}

	if !reflect.DeepEqual(Flow(before), Flow(after)) {
		s.FlowBefore, s.FlowAfter = before, after
	}
}

// stays reports whether the survey stays on the service although it leaves the state.
func stays(change tfplan.Change) bool {
	leaves := change.After == nil || change.Replace
	return change.Forget || leaves && (change.DeletionPolicy == surveyschema.PolicyArchive || change.DeletionPolicy == surveyschema.PolicyAbandon)
}

// questionPair returns the questions before and after a change.
func questionPair(change tfplan.Change) (before, after []Question, err error) {
	if change.Before != nil {
		if before, err = Questions(*change.Before); err != nil {
			return nil, nil, err
		}
	}
	if change.After != nil {
		after, err = Questions(*change.After)
	}
	return before, after, err
}

// events are the events of a survey, in the order in which an apply causes them.
func events(change tfplan.Change) []Event {
	events := departure(change)
	if change.Forget || change.After == nil {
		return events
	}

	before := map[string]any{}
	switch {
	case change.Before == nil || stays(change):
		events = append(events, Created)
	case !change.Replace:
		before = change.Before.Attributes
	}
	if event := statusEvent(change, before); event != "" {
		events = append(events, event)
	}
	switch wasArchived, isArchived := before["archived"] == true, change.After.Attributes["archived"] == true; {
	case isArchived && !wasArchived:
		events = append(events, Archived)
	case wasArchived && !isArchived && change.After.Attributes["status"] == completed, wasArchived && !isArchived && change.After.Attributes["status"] == draft:
		events = append(events, Unarchived)
	case wasArchived && !isArchived:
		events = append(events, UnarchivedToRun)
	}
	return events
}

// departure are the events of a survey that leaves the state; none for one that stays.
func departure(change tfplan.Change) []Event {
	switch {
	case change.Forget:
		return []Event{Released}
	case change.After != nil && !change.Replace:
		return nil
	case change.DeletionPolicy == surveyschema.PolicyArchive:
		return []Event{Archived, Released}
	case change.DeletionPolicy == surveyschema.PolicyAbandon:
		return []Event{Released}
	case change.Replace:
		return []Event{Replaced}
	}
	return []Event{Deleted}
}

// The values of status that make an event.
const (
	draft     = "draft"
	running   = "running"
	completed = "completed"
)

// statusEvent is the event that a change of the status makes, be it by the plan or by an
// action that it invokes; empty for none.
func statusEvent(change tfplan.Change, before map[string]any) Event {
	oldStatus, newStatus := before["status"], change.After.Attributes["status"]
	switch {
	case slices.Contains(change.Invoked, tfplan.LaunchAction) && newStatus != running:
		return Launched
	case slices.Contains(change.Invoked, tfplan.StopAction) && newStatus != completed:
		return Stopped
	case slices.Contains(change.After.Unknown, "status"):
		return MayRun
	case newStatus == oldStatus:
		return ""
	case newStatus == running && oldStatus == completed:
		return Resumed
	case newStatus == running:
		return Launched
	case oldStatus == running:
		return Stopped
	}
	return ""
}
