package reconcile

import "github.com/surveys-as-code/terraform-provider-posthog/internal/responses"

// ReasonCode says why an action is not done, or an object is skipped.
type ReasonCode string

// The codes of objects that a plan skips.
const (
	// OwnedElsewhere is a global app of B that another organization owns.
	OwnedElsewhere ReasonCode = "owned_elsewhere"
	// DesiredOwnedElsewhere is a global app of A that another organization owns.
	DesiredOwnedElsewhere ReasonCode = "desired_owned_elsewhere"
	// NothingWritable is an object that differs only in values that are not written.
	NothingWritable ReasonCode = "nothing_writable"
	// OnlyInB is an object that A lacks.
	OnlyInB ReasonCode = "only_in_b"
	// ArchivedInB is an archived survey that A lacks.
	ArchivedInB ReasonCode = "archived_in_b"
)

// The codes of actions that a guard refuses.
const (
	// WouldBeHidden is an app that the service would hide from then on.
	WouldBeHidden ReasonCode = "would_be_hidden"
	// ManagedByState is an object that a Terraform state manages.
	ManagedByState ReasonCode = "managed_by_state"
	// Invalid is an object that cannot be written as it is.
	Invalid ReasonCode = "invalid"
	// HasResponses is a survey whose responses would be lost, MayHaveResponses one that may
	// have some.
	HasResponses     ReasonCode = "has_responses"
	MayHaveResponses ReasonCode = "may_have_responses"
	// CutsAnswers is an update that cuts off answers, MayCutAnswers one that may do so.
	CutsAnswers   ReasonCode = "cuts_answers"
	MayCutAnswers ReasonCode = "may_cut_answers"
	// TooManyRemovals is a plan that deletes or archives more objects than it may.
	TooManyRemovals ReasonCode = "too_many_removals"
	// NameTaken is a name that another survey keeps.
	NameTaken ReasonCode = "name_taken"
)

// The codes of actions that were planned and not done.
const (
	// Interrupted is an action after the end of the run.
	Interrupted ReasonCode = "interrupted"
	// WaitsForAnother is an action after one that was not done.
	WaitsForAnother ReasonCode = "waits_for_another"
	// AfterFailure is a removal after a failure.
	AfterFailure ReasonCode = "after_failure"
	// ChangedSince, DeletedSince and CreatedSince are objects that somebody changed, deleted or
	// created since the plan was made; NameOrURLTakenSince is one of that name or address, and
	// NameTakenSince another survey of that name.
	ChangedSince        ReasonCode = "changed_since"
	DeletedSince        ReasonCode = "deleted_since"
	CreatedSince        ReasonCode = "created_since"
	NameOrURLTakenSince ReasonCode = "name_or_url_taken_since"
	NameTakenSince      ReasonCode = "name_taken_since"
	// RespondedSince is a survey that got its first responses since the plan was made.
	RespondedSince ReasonCode = "responded_since"
	// HiddenOnceCreated is an app that was created, and that the service hides.
	HiddenOnceCreated ReasonCode = "hidden_once_created"
	// RequestFailed is an action that ended with an error.
	RequestFailed ReasonCode = "request_failed"
)

// ReasonCodes are all codes.
func ReasonCodes() []ReasonCode {
	return []ReasonCode{
		OwnedElsewhere, DesiredOwnedElsewhere, NothingWritable, OnlyInB, ArchivedInB,
		WouldBeHidden, ManagedByState, Invalid, HasResponses, MayHaveResponses, CutsAnswers, MayCutAnswers, TooManyRemovals, NameTaken,
		Interrupted, WaitsForAnother, AfterFailure, ChangedSince, DeletedSince, CreatedSince, NameOrURLTakenSince, NameTakenSince,
		RespondedSince, HiddenOnceCreated, RequestFailed,
	}
}

// Reason says why something is not done. Whoever reports it has the words. Beside the code
// only those fields are set that its words need; the zero Reason is none.
type Reason struct {
	Code ReasonCode
	// Name and ID are those of the object, or of the survey that has the name.
	Name, ID string
	// Verb is what has to be done first.
	Verb Verb
	// Organization is the owner, Where the address and the directory of the state.
	Organization, Where string
	// Number is how many responses the survey has, Count how many objects would be removed or
	// how many responses came in, Limit how many objects may be removed.
	Number       responses.Number
	Count, Limit int64
	// Err is what the service or the mapping said.
	Err error
}
