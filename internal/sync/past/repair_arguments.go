package past

import (
	"fmt"
	"strings"
)

// Code says why an id is not written back, for a program; the reason beside it is for a person.
type Code string

// SharedID is the code of an id that several questions have or had at a time: nobody can tell
// their answers apart.
const SharedID Code = "shared_id"

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
	index := -1
	for i, q := range p.Live() {
		isNamed := name == fmt.Sprintf("questions[%d]", i) || name != "" && name == q.ID || isShort(name) && strings.HasPrefix(q.ID, name)
		switch {
		case !isNamed:
		case index >= 0:
			return -1, fmt.Errorf("several questions have the id %q: name one by its place, as questions[0]", name)
		default:
			index = i
		}
	}
	if index < 0 {
		return -1, fmt.Errorf("the survey has no question %q: name it by its id, or as questions[0] by its place", name)
	}
	return index, nil
}

// shortest is the length of the shortest beginning of an id that may stand for it.
const shortest = 8

func isShort(id string) bool { return len(id) >= shortest && len(id) < 36 }

// whole is the one id that begins as another does, or that itself.
func (p *planner) whole(id string) string {
	var found []string
	for _, line := range p.Lineages {
		for _, holding := range line.Holdings {
			if holding.ID == id {
				return id
			}
			if isShort(id) && strings.HasPrefix(holding.ID, id) {
				found = append(found, holding.ID)
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
		holding, isKnown := p.Holding(decision.ID)
		live := p.Live()[i]
		_, isTwice := p.decided[i]
		switch {
		case isTwice:
			return fmt.Errorf("the question %q is named twice", decision.Question)
		case p.isChosen(decision.ID):
			return fmt.Errorf("two questions would get the id %q", decision.ID)
		case !isKnown:
			return fmt.Errorf("no source knows the id %q of this survey, so nobody can tell what it asked: "+
				"name a snapshot that has it with --snapshot, or a directory with --state", decision.ID)
		case live.ID != decision.ID && p.IsLive(decision.ID):
			return fmt.Errorf("another question has the id %q", decision.ID)
		case holding.Last.Type != live.Type:
			return fmt.Errorf("%q is the id of a question of type %s, and the question is of type %s: its answers would be of another kind",
				decision.ID, holding.Last.Type, live.Type)
		}
		p.decided[i] = decision.ID
	}
	return nil
}
