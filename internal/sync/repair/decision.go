package repair

import (
	"fmt"
	"strings"
)

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

// Decision gives a question an id.
type Decision struct {
	// Question is the id of the question, its first letters, or questions[N] for one of a place.
	Question string
	// ID is an id that a question of the survey had, or its first letters; that of the question
	// itself to leave it as it is.
	ID string
}

// find is the index of the question that a decision names.
func (p *planner) find(name string) (int, error) {
	found := -1
	for i, q := range p.Live() {
		isNamed := name == fmt.Sprintf("questions[%d]", i) || name != "" && name == q.ID || isShort(name) && strings.HasPrefix(q.ID, name)
		switch {
		case !isNamed:
		case found >= 0:
			return -1, &DecisionError{Code: NotOneQuestion, Question: name}
		default:
			found = i
		}
	}
	if found < 0 {
		return -1, &DecisionError{Code: NoSuchQuestion, Question: name}
	}
	return found, nil
}

// shortest is the length of the shortest beginning of an id that may stand for it.
const shortest = 8

func isShort(id string) bool { return len(id) >= shortest && len(id) < 36 }

// whole is the one id that begins as another does, or that itself.
func (p *planner) whole(id string) string {
	var found []string
	for _, line := range p.Lineages {
		for _, held := range line.Holdings {
			if held.ID == id {
				return id
			}
			if isShort(id) && strings.HasPrefix(held.ID, id) {
				found = append(found, held.ID)
			}
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return id
}

// decide checks the decisions.
func (p *planner) decide() error {
	p.decided = map[int]string{}
	for _, decision := range p.options.Decisions {
		decision.ID = p.whole(decision.ID)
		i, err := p.find(decision.Question)
		if err != nil {
			return err
		}
		refused := &DecisionError{Question: decision.Question, ID: decision.ID, Type: p.Live()[i].Type}
		held, isKnown := p.Holding(decision.ID)
		refused.OldType = held.Last.Type

		_, isTwice := p.decided[i]
		switch {
		case isTwice:
			refused.Code = DecidedTwice
		case p.isChosen(decision.ID):
			refused.Code = IDTwice
		case !isKnown:
			refused.Code = NoSuchID
		case p.Live()[i].ID != decision.ID && p.IsLive(decision.ID):
			refused.Code = IDInUse
		case held.Last.Type != p.Live()[i].Type:
			refused.Code = OtherKind
		default:
			p.decided[i] = decision.ID
			continue
		}
		return refused
	}
	return nil
}
