package repair

// Code says why an id is not written back.
type Code string

// The codes of questions that a person has to decide.
const (
	// CutsAnswers is a question that has answers under its new id, MayCutAnswers one that may
	// have some.
	CutsAnswers   Code = "cuts_answers"
	MayCutAnswers Code = "may_cut_answers"
	// NewHasMore is a question with at least as many answers under its new id as under the old.
	NewHasMore Code = "new_has_more"
	// Uncertain is a question that may be one that is gone.
	Uncertain Code = "uncertain"
	// SharedID is an id that several questions have or had at a time: nobody can tell their
	// answers apart.
	SharedID Code = "shared_id"
)

// The codes of decisions that are refused.
const (
	// NoSuchQuestion is one that the survey has not, NotOneQuestion an id that several have.
	NoSuchQuestion Code = "no_such_question"
	NotOneQuestion Code = "not_one_question"
	// NoSuchID is an id that no source knows of this survey, IDInUse one that another question
	// has now, IDTwice one that two questions would get.
	NoSuchID Code = "no_such_id"
	IDInUse  Code = "id_in_use"
	IDTwice  Code = "id_twice"
	// OtherKind is an id of a question of another type.
	OtherKind Code = "other_kind"
	// DecidedTwice is a question with two decisions.
	DecidedTwice Code = "decided_twice"
)

// The codes of what was planned and not done.
const (
	// Interrupted is a repair that was ended before its write.
	Interrupted Code = "interrupted"
	// ChangedSince and DeletedSince are surveys that somebody changed or deleted since they were
	// read; AnsweredSince is a question that got its first answers since.
	ChangedSince  Code = "changed_since"
	DeletedSince  Code = "deleted_since"
	AnsweredSince Code = "answered_since"
	// NotKept is a service that did not store the ids that it was sent.
	NotKept Code = "not_kept"
	// RequestFailed is a request that ended with an error.
	RequestFailed Code = "request_failed"
)

// Codes are all codes.
func Codes() []Code {
	return []Code{
		CutsAnswers, MayCutAnswers, NewHasMore, Uncertain, SharedID,
		NoSuchQuestion, NotOneQuestion, NoSuchID, IDInUse, IDTwice, OtherKind, DecidedTwice,
		Interrupted, ChangedSince, DeletedSince, AnsweredSince, NotKept, RequestFailed,
	}
}

// DecisionError is the error of a decision that is refused.
type DecisionError struct {
	Code Code
	// Question is the question as the decision named it, ID the id that it was to get.
	Question, ID string
	// Type is that of the question, OldType that of the one that had the id.
	Type, OldType string
}

func (e *DecisionError) Error() string { return string(e.Code) + ": " + e.Question + " = " + e.ID }
