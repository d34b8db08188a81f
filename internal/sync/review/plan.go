package review

import (
	"reflect"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// Event is an effect that a change has on the whole survey.
type Event string

// Survey events.
const (
	Created  Event = "created"
	Launched Event = "launched"
	Stopped  Event = "stopped"
	Resumed  Event = "resumed"
	Archived Event = "archived"
	// Unarchived means that a survey is taken out of the archive. If the survey is running, it is shown again.
	Unarchived      Event = "unarchived"
	UnarchivedToRun Event = "unarchived: shown again"
	Deleted         Event = "deleted"
	Replaced        Event = "replaced"
	Released        Event = "no longer managed"
	// MayRun means that a survey's status is known only after apply.
	MayRun Event = "launched or stopped: known after apply"
)

// launches reports whether respondents see, or may see, the survey after the event.
func (e Event) launches() bool {
	return slices.Contains([]Event{Launched, Resumed, UnarchivedToRun, MayRun}, e)
}

// Advice is a shell command and a sentence that explains its purpose.
type Advice struct {
	Text    string `json:"text"`
	Command string `json:"command"`
}

// SurveyChange describes how a plan changes one survey for its respondents.
type SurveyChange struct {
	Name    string `json:"name"`
	ID      string `json:"id,omitempty"`
	Address string `json:"address"`

	Events []Event `json:"events"`
	// LaunchedTo describes the audience of a survey that is launched: respondents, pages, frequency,
	// and end. It is empty if the survey is not launched. IsUnbounded is set if all respondents see the
	// survey, and it has no end.
	LaunchedTo  string `json:"launched_to,omitempty"`
	IsUnbounded bool   `json:"launched_unbounded,omitempty"`
	// OnceLaunched describes the future audience of a survey that is created but not launched.
	OnceLaunched string           `json:"asks_once_launched,omitempty"`
	Questions    []QuestionChange `json:"questions"`
	// Changes lists other changes that respondents notice, such as changes to targeting and pages.
	Changes []Row `json:"changes,omitempty"`
	// QuestionsUnknown is set if the questions are known only after apply.
	QuestionsUnknown bool `json:"questions_unknown,omitempty"`
	// Redirects lists the answers that lead to a different question because questions moved.
	Redirects []Redirect `json:"redirects,omitempty"`
	// Responses is the survey's number of responses, or nil if it is unknown. In that case,
	// ResponsesReason explains why, and ResponsesCounted is a lower bound.
	Responses        *int64 `json:"responses"`
	ResponsesReason  string `json:"responses_reason,omitempty"`
	ResponsesCounted int64  `json:"responses_counted,omitempty"`
	// DetachesAnswers is set if the change detaches answers. It is also set if the number of responses or
	// the questions are unknown, so that the change may detach answers.
	DetachesAnswers bool `json:"detaches_answers"`
	// FlowBefore and FlowAfter contain the questions before and after the change. Both are nil if the flow
	// stays the same.
	FlowBefore []Question `json:"flow_before,omitempty"`
	FlowAfter  []Question `json:"flow_after,omitempty"`
	// Advice lists commands that reattach answers that would otherwise stay detached.
	Advice []Advice `json:"advice,omitempty"`

	// Detached lists the questions whose answers certainly or possibly stay detached.
	Detached identity.DetachedList `json:"-"`
}

// Plan reviews the changes of a plan, and returns one result for each survey. counts maps survey IDs to
// response counts. If counts does not contain a survey, its count is unknown.
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
		number.Reason = "nobody counted them" // a new survey has no responses
	}
	reviewed.Responses, reviewed.ResponsesReason, reviewed.ResponsesCounted = number.Known(), number.Reason, number.Counted

	dropped := slices.ContainsFunc(reviewed.Questions, func(q QuestionChange) bool {
		return q.Kind == Dropped || q.IsExchanged || q.Kind == Reattached && (q.Lost == nil || *q.Lost > 0)
	}) || len(reviewed.Detached.Certain()) > 0
	mayDrop := reviewed.QuestionsUnknown && change.Before != nil
	reviewed.DetachesAnswers = (dropped || mayDrop) && !number.IsNone()
	return reviewed, nil
}

// Number returns the number of responses of the survey.
func (s *SurveyChange) Number() responses.Number {
	return responses.Number{Counted: s.ResponsesCounted, Reason: s.ResponsesReason}
}

// compare sets the changes to the questions and the flow.
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
		// Deleting a survey also deletes its answers, even if a replacement has the same questions.
		s.Questions = append(questionChanges(before, nil, nil, nil), questionChanges(nil, after, unknown, nil)...)
	default:
		s.Questions, s.Detached = questionChanges(before, after, unknown, change.Detached), staysDetached(after, change.Detached)
		s.Redirects = redirects(before, after, s.Questions)
	}

	if !reflect.DeepEqual(Flow(before), Flow(after)) {
		s.FlowBefore, s.FlowAfter = before, after
	}
}

// stays reports whether a survey that is removed from the state is kept in PostHog.
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

// events returns a survey's events in the order in which an apply causes them.
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

// departure returns the events of a survey that is removed from the state, or nil if the survey is kept in
// PostHog.
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

// Status values that cause an event.
const (
	draft     = "draft"
	running   = "running"
	completed = "completed"
)

// statusEvent returns the event that a status change causes. The status may be changed by the plan itself, or
// by an action that the plan invokes. It returns an empty event if the status does not change.
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
