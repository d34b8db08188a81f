package reconcile

import (
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

// Verb is what an action does to an object of B.
type Verb string

// The verbs of actions.
const (
	// Create creates an object that B lacks.
	Create Verb = "create"
	// Update changes the attributes that differ.
	Update Verb = "update"
	// Rename gives a survey a temporary name, so that another one can take its name.
	Rename Verb = "rename"
	// Archive archives a survey that A lacks.
	Archive Verb = "archive"
	// Delete deletes an object that A lacks.
	Delete Verb = "delete"
)

// Outcome is the outcome of an action.
type Outcome string

// The outcomes of actions.
const (
	// Planned is an action that has not been carried out yet.
	Planned Outcome = "planned"
	// Done is an action that was carried out.
	Done Outcome = "done"
	// Refused is an action that a guard does not allow.
	Refused Outcome = "refused"
	// Skipped is an action on an object that was changed since it was planned.
	Skipped Outcome = "skipped"
	// Failed is an action that ended with an error; the service may have carried it out all
	// the same.
	Failed Outcome = "failed"
	// NotRun is an action that was not started: the run was interrupted, or an action that it
	// depends on was not done.
	NotRun Outcome = "not run"
)

// ValueChange is the change of a value of B. A missing value is nil.
type ValueChange struct {
	// Path is the path of the attribute, for example questions[1].question.
	Path   string `json:"path"`
	Before any    `json:"before"`
	After  any    `json:"after"`
}

// ReplacedID is the ID of a question that gets another one.
type ReplacedID struct {
	// Path is that of the ID in A.
	Path string `json:"path"`
	// ID is the one that the question has, Old the one that it gets; ID is empty for none.
	ID  string `json:"id"`
	Old string `json:"old_id"`
	// Answers are those under ID; nil where PostHog does not count them.
	Answers *int64 `json:"answers"`
	// IsNew is set if no question of the survey ever had the ID that the question gets.
	IsNew bool `json:"new,omitempty"`
}

// PossibleQuestion is a question of the survey of B that keeps its ID, and may become another question.
type PossibleQuestion struct {
	// Path is that of the question in A.
	Path string `json:"path"`
	ID   string `json:"id"`
	// Before and After are its texts, and Content is what else of it changes.
	Before  string        `json:"before"`
	After   string        `json:"after"`
	Content []ValueChange `json:"content"`
}

// Action is a change of one object of B.
type Action struct {
	Kind source.Kind `json:"kind"`
	Verb Verb        `json:"action"`
	// Name is the name in A, or in B if A lacks the object.
	Name string `json:"name"`
	// ID is the id in B; empty for an object that does not exist yet.
	ID string `json:"id"`
	// Seen is the fingerprint that the object of B had when the action was planned; empty
	// if it did not exist.
	Seen string `json:"seen"`
	// Changes are the values that change.
	Changes []ValueChange `json:"changes"`
	// Remaining are the values that still differ from those of A afterwards.
	Remaining []Attribute `json:"left"`
	// Dropped are the texts of the questions that the survey of B loses. Their answers are
	// detached.
	Dropped []string `json:"dropped,omitempty"`
	// Replaced are the questions of the survey of B that get another ID. The answers under the ID
	// that each has are detached, and those under the one that it gets are reattached.
	Replaced []ReplacedID `json:"replaced_ids,omitempty"`
	// Possible are the questions of a survey with responses that may become other ones: the answers so
	// far appear under what the questions ask then.
	Possible []PossibleQuestion `json:"possible_questions,omitempty"`
	// MappedFlags are the feature flags of the survey of A for which others of B stand, by their keys.
	MappedFlags map[string]string `json:"mapped_flags,omitempty"`
	// Responses is the number of responses of a survey that loses questions or is deleted; nil
	// when it is unknown, and for all other actions. ResponsesReason says why it is unknown,
	// and ResponsesCounted how many there are at least.
	Responses        *int64 `json:"responses,omitempty"`
	ResponsesReason  string `json:"responses_reason,omitempty"`
	ResponsesCounted int64  `json:"responses_counted,omitempty"`
	// After are the indexes in the plan of the actions that have to be done first.
	After   []int   `json:"after,omitempty"`
	Outcome Outcome `json:"outcome"`
	// Reason says why the action was not done, and which flag allows it.
	Reason string `json:"reason,omitempty"`

	// SurveyRequest or AppRequest is the body of the request, depending on the kind.
	SurveyRequest api.SurveyRequest            `json:"-"`
	AppRequest    api.PipelineImportAppRequest `json:"-"`
	// DesiredApp is the import app of A; nil for a survey, and if A lacks it.
	DesiredApp *api.PipelineImportApp `json:"-"`
	launches   bool
	// Effect is the survey before and after the action, for those who ask what that means to
	// people; empty for a renaming, and for an import app.
	Effect tfplan.Change `json:"-"`
	// Unanswered is set when the survey may be deleted or lose questions only while it has no
	// responses.
	Unanswered bool `json:"-"`
}

// Count sets the number of responses of the survey.
func (a *Action) Count(number responses.Number) {
	a.Responses, a.ResponsesReason, a.ResponsesCounted = number.Known(), number.Reason, number.Counted
}

// Number is the number of responses that was set.
func (a *Action) Number() responses.Number {
	return responses.Number{Counted: a.ResponsesCounted, Reason: a.ResponsesReason}
}

// refuse marks the action as refused by a guard.
func (a *Action) refuse(reason string) { a.Outcome, a.Reason = Refused, reason }

// Removes reports whether the action deletes or archives an object that A lacks.
func (a *Action) Removes() bool { return a.Verb == Delete || a.Verb == Archive }

// isEmpty reports whether the request of the action changes nothing.
func (a *Action) isEmpty() bool {
	if a.Kind == source.App {
		return importapp.IsEmptyRequest(a.AppRequest)
	}
	return survey.IsEmptyRequest(a.SurveyRequest)
}

// Launches reports whether the action shows a survey to people that was not shown before.
func (a *Action) Launches() bool { return a.launches }

// IsDraft reports whether the request of the action leaves a new survey a draft.
func (a *Action) IsDraft() bool {
	return isUnset(a.SurveyRequest.StartDate) && isUnset(a.SurveyRequest.EndDate)
}

func isUnset(date nullable.Nullable[string]) bool {
	text, err := date.Get()
	return err != nil || text == ""
}

// isShown reports whether a survey is shown to people: it runs and is not archived.
func isShown(o source.Object) bool {
	return o.Kind == source.Survey && o.Attributes["status"] == "running" && o.Attributes["archived"] != true
}

// SkippedObject is an object that a plan leaves alone although the sources differ in it.
type SkippedObject struct {
	Kind   source.Kind `json:"kind"`
	Name   string      `json:"name"`
	ID     string      `json:"id"`
	Reason string      `json:"reason"`
	// Attributes are the values that differ; empty if only one source has the object.
	Attributes []Attribute `json:"attributes"`
}

// Plan has the actions that make B like A, in the order in which they are carried out.
type Plan struct {
	Actions []Action
	Skipped []SkippedObject
	// Same is the number of objects that are the same on both sources.
	Same int
	// AppIDs are the ids of the import apps of B when the plan was made.
	AppIDs map[string]bool
}

// Count is the number of actions with an outcome.
func (p Plan) Count(outcome Outcome) int {
	n := 0
	for _, action := range p.Actions {
		if action.Outcome == outcome {
			n++
		}
	}
	return n
}
