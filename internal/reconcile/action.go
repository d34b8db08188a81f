package reconcile

import (
	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// Verb is what an action does to an object of B.
type Verb string

// The verbs of actions.
const (
	// Create makes what B lacks.
	Create Verb = "create"
	// Update changes what differs.
	Update Verb = "update"
	// Rename gives a survey a temporary name, so that another one can have its name.
	Rename Verb = "rename"
	// Archive archives what A lacks.
	Archive Verb = "archive"
	// Delete deletes what A lacks.
	Delete Verb = "delete"
)

// Outcome is what became of an action.
type Outcome string

// The outcomes of actions.
const (
	// Planned is an action that nobody has carried out yet.
	Planned Outcome = "planned"
	// Done is an action that was carried out.
	Done Outcome = "done"
	// Refused is an action that a guard does not allow.
	Refused Outcome = "refused"
	// Skipped is an action on an object that was changed since it was planned.
	Skipped Outcome = "skipped"
	// Failed is an action that the service did not carry out, or not for certain.
	Failed Outcome = "failed"
	// NotRun is an action that was not begun: the run was interrupted, or what had to be
	// done before was not.
	NotRun Outcome = "not run"
)

// ValueChange is the change of a value of B. A value that is not there is nil.
type ValueChange struct {
	// Path is that of the resource's attribute, for example questions[1].question.
	Path   string `json:"path"`
	Before any    `json:"before"`
	After  any    `json:"after"`
}

// Action is a change of one object of B.
type Action struct {
	Kind side.Kind `json:"kind"`
	Verb Verb      `json:"action"`
	// Name is the name in A, or in B of what A lacks.
	Name string `json:"name"`
	// ID is the id in B; empty for what does not exist yet.
	ID string `json:"id"`
	// Seen is the fingerprint of the object of B that the action was planned for; empty
	// for one that did not exist.
	Seen string `json:"seen"`
	// Changes are the values that change.
	Changes []ValueChange `json:"changes"`
	// Left are the values that still differ from those of A afterwards.
	Left []Attribute `json:"left"`
	// Dropped are the texts of the questions of B that a survey loses. The answers to them are
	// cut off.
	Dropped []string `json:"dropped,omitempty"`
	// Responses is the number of responses of a survey that loses questions or is deleted; nil
	// where it is not known or not of interest.
	Responses *int64 `json:"responses,omitempty"`
	// After are the places in the plan of the actions that come first.
	After   []int   `json:"after,omitempty"`
	Outcome Outcome `json:"outcome"`
	// Reason says why the action was not done.
	Reason string `json:"reason,omitempty"`

	// SurveyRequest or AppRequest is what is sent, by the kind.
	SurveyRequest api.SurveyRequest            `json:"-"`
	AppRequest    api.PipelineImportAppRequest `json:"-"`
	// Desired is the object of A; the zero Object for what A lacks.
	Desired side.Object `json:"-"`
	// Unanswered says that the survey may be deleted only without responses.
	Unanswered bool `json:"-"`
}

// refuse has a guard stop the action.
func (a *Action) refuse(reason string) { a.Outcome, a.Reason = Refused, reason }

// Removes reports whether the action deletes or archives what A lacks.
func (a *Action) Removes() bool { return a.Verb == Delete || a.Verb == Archive }

// isEmpty reports whether the request of the action changes nothing.
func (a *Action) isEmpty() bool {
	if a.Kind == side.App {
		return importapp.IsEmptyRequest(a.AppRequest)
	}
	return survey.IsEmptyRequest(a.SurveyRequest)
}

// Launches reports whether the action gives a survey a start date.
func (a *Action) Launches() bool {
	date, err := a.SurveyRequest.StartDate.Get()
	return err == nil && date != ""
}

// LeftObject is an object of B that stays as it is although it is not as in A.
type LeftObject struct {
	Kind   side.Kind `json:"kind"`
	Name   string    `json:"name"`
	ID     string    `json:"id"`
	Reason string    `json:"reason"`
	// Attributes are the values that differ; empty for what only one side has.
	Attributes []Attribute `json:"attributes"`
}

// Plan is what makes B like A, in the order in which it is carried out.
type Plan struct {
	Actions []Action     `json:"actions"`
	Left    []LeftObject `json:"left"`
	// Same is how many objects are the same on both sides.
	Same int `json:"same"`
	// AppIDs are the import apps of B that the plan has seen.
	AppIDs map[string]bool `json:"-"`
}

// Count is how many actions have an outcome.
func (p Plan) Count(outcome Outcome) int {
	n := 0
	for _, action := range p.Actions {
		if action.Outcome == outcome {
			n++
		}
	}
	return n
}
