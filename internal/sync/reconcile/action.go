package reconcile

import (
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// Verb is the operation that an action performs on one of B's objects.
type Verb string

// The verbs of actions.
const (
	// Create creates an object that B does not contain.
	Create Verb = "create"
	// Update changes the attributes that differ.
	Update Verb = "update"
	// Rename gives a survey a temporary name, so that another survey can take its name.
	Rename Verb = "rename"
	// Archive archives a survey that A does not contain.
	Archive Verb = "archive"
	// Delete deletes an object that A does not contain.
	Delete Verb = "delete"
)

// Outcome is the outcome of an action.
type Outcome string

// Outcomes of actions.
const (
	// Planned means that the action has not run yet.
	Planned Outcome = "planned"
	// Done means that the action succeeded.
	Done Outcome = "done"
	// Refused means that a guard does not allow the action.
	Refused Outcome = "refused"
	// Skipped means that the object changed after planning.
	Skipped Outcome = "skipped"
	// Failed means that the action returned an error. PostHog may have applied the change anyway.
	Failed Outcome = "failed"
	// NotRun means that the action never started, because the run was interrupted or an action that
	// must run first did not succeed.
	NotRun Outcome = "not run"
)

// ValueChange is a change to one value of B's object. A missing value is nil.
type ValueChange struct {
	// Path is the path of the attribute, for example questions[1].question.
	Path   string `json:"path"`
	Before any    `json:"before"`
	After  any    `json:"after"`
}

// ReplacedID is a question ID that an action replaces.
type ReplacedID struct {
	// Path is the path of the ID in A.
	Path string `json:"path"`
	// ID is the current ID of B's question, or empty if the question has no ID. Old is the ID that the
	// action sets.
	ID  string `json:"id"`
	Old string `json:"old_id"`
	// Answers is the number of answers under ID, or nil if PostHog cannot count them.
	Answers *int64 `json:"answers"`
	// IsNew is set if none of the survey's questions ever had the ID in Old.
	IsNew bool `json:"new,omitempty"`
	// Detached describes the question with the answers under Old. It is empty in a decoded report.
	Detached identity.Detached `json:"-"`
}

// MovedID is a question ID in A that belongs to another question of B's survey.
type MovedID struct {
	// Path is the path of the ID in A, and Text the text of A's question.
	Path string `json:"path"`
	Text string `json:"question"`
	ID   string `json:"id"`
	// OwnID is the ID of the same question in B.
	OwnID string `json:"own_id"`
}

// PossibleQuestion is a question in B's survey that keeps its ID but may become a different question.
type PossibleQuestion struct {
	// Path is the path of the question in A.
	Path string `json:"path"`
	ID   string `json:"id"`
	// Before and After are the question's texts. Content contains its other changes.
	Before  string        `json:"before"`
	After   string        `json:"after"`
	Content []ValueChange `json:"content"`
}

// Action is a change to one of B's objects.
type Action struct {
	Kind source.Kind `json:"kind"`
	Verb Verb        `json:"action"`
	// Name is the object's name in A, or in B if A does not contain the object.
	Name string `json:"name"`
	// ID is the object's ID in B, or empty if the object does not exist yet.
	ID string `json:"id"`
	// Seen is the fingerprint of B's object at the time of planning, or empty if the object did not
	// exist then.
	Seen string `json:"seen"`
	// Changes lists the values that change.
	Changes []ValueChange `json:"changes"`
	// Remaining lists the values that still differ from A after the action.
	Remaining []Attribute `json:"left"`
	// Dropped lists the texts of the questions that the action removes from B's survey, which detaches their
	// answers.
	Dropped []string `json:"dropped,omitempty"`
	// Replaced lists the question IDs that the action replaces in B's survey. It detaches the answers
	// under each current ID, and reattaches the answers under the new ID.
	Replaced []ReplacedID `json:"replaced_ids,omitempty"`
	// Moved lists the questions that get the ID of another question, whose answers then appear under them.
	Moved []MovedID `json:"moved_ids,omitempty"`
	// Possible lists the questions of a survey with responses that may become different questions.
	// Existing answers would then appear under the new text.
	Possible []PossibleQuestion `json:"possible_questions,omitempty"`
	// MappedFlags maps the keys of feature flags in A's survey to the keys of the flags in B that
	// replace them.
	MappedFlags map[string]string `json:"mapped_flags,omitempty"`
	// Responses is the number of responses of a survey that is deleted or loses questions. It is nil if
	// the number is unknown, and for all other actions. ResponsesReason explains why the number is
	// unknown, and ResponsesCounted is a lower bound.
	Responses        *int64 `json:"responses,omitempty"`
	ResponsesReason  string `json:"responses_reason,omitempty"`
	ResponsesCounted int64  `json:"responses_counted,omitempty"`
	// After lists the plan indexes of the actions that must run first.
	After   []int   `json:"after,omitempty"`
	Outcome Outcome `json:"outcome"`
	// Reason explains why the action did not run, and contains the flag that allows it.
	Reason string `json:"reason,omitempty"`

	// SurveyRequest or AppRequest is the request body, depending on the object's kind.
	SurveyRequest api.SurveyRequest            `json:"-"`
	AppRequest    api.PipelineImportAppRequest `json:"-"`
	// DesiredApp is the import app in A. It is nil for a survey, and if A does not contain the app.
	DesiredApp *api.PipelineImportApp `json:"-"`
	launches   bool
	// Effect contains the survey before and after the action, so that a review can show how the action
	// affects respondents. It is empty for a rename and for an import app.
	Effect tfplan.Change `json:"-"`
	// Unanswered is set if the survey may be deleted or lose questions only while it has no responses.
	Unanswered bool `json:"-"`
}

// Count sets the survey's number of responses.
func (a *Action) Count(number responses.Number) {
	a.Responses, a.ResponsesReason, a.ResponsesCounted = number.Known(), number.Reason, number.Counted
}

// Number returns the number of responses that Count set.
func (a *Action) Number() responses.Number {
	return responses.Number{Counted: a.ResponsesCounted, Reason: a.ResponsesReason}
}

// refuse marks the action as refused by a guard.
func (a *Action) refuse(reason string) { a.Outcome, a.Reason = Refused, reason }

// Removes reports whether the action deletes or archives an object that A does not contain.
func (a *Action) Removes() bool { return a.Verb == Delete || a.Verb == Archive }

// isEmpty reports whether the action's request changes nothing.
func (a *Action) isEmpty() bool {
	if a.Kind == source.App {
		return importapp.IsEmptyRequest(a.AppRequest)
	}
	return survey.IsEmptyRequest(a.SurveyRequest)
}

// Launches reports whether the action makes a survey visible to respondents.
func (a *Action) Launches() bool { return a.launches }

// IsDraft reports whether the action leaves a new survey as a draft.
func (a *Action) IsDraft() bool {
	return isUnset(a.SurveyRequest.StartDate) && isUnset(a.SurveyRequest.EndDate)
}

func isUnset(date nullable.Nullable[string]) bool {
	text, err := date.Get()
	return err != nil || text == ""
}

// isShown reports whether respondents can see a survey: it is running and not archived.
func isShown(o source.Object) bool {
	return o.Kind == source.Survey && o.Attributes["status"] == "running" && o.Attributes["archived"] != true
}

// SkippedObject is an object that a plan leaves unchanged, although the sources differ.
type SkippedObject struct {
	Kind   source.Kind `json:"kind"`
	Name   string      `json:"name"`
	ID     string      `json:"id"`
	Reason string      `json:"reason"`
	// Attributes lists the values that differ. It is empty if only one source contains the object.
	Attributes []Attribute `json:"attributes"`
}

// Plan contains the actions that make B equal to A, in execution order.
type Plan struct {
	Actions []Action
	Skipped []SkippedObject
	// Same is the number of objects that are equal in both sources.
	Same int
	// AppIDs contains the IDs of B's import apps at the time of planning.
	AppIDs map[string]bool
}

// Count returns the number of actions with an outcome.
func (p Plan) Count(outcome Outcome) int {
	n := 0
	for _, action := range p.Actions {
		if action.Outcome == outcome {
			n++
		}
	}
	return n
}
