package past

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Code is the machine-readable reason why an ID is not restored.
type Code string

// SharedID means that several questions have or had the ID at the same time, so their answers can't
// be distinguished.
const SharedID Code = "shared_id"

// Decision assigns an ID to a question.
type Decision struct {
	// Question is an ID, its prefix, or questions[N].
	Question string
	// ID is an ID that one of the survey's questions had, or its prefix. If it is the question's own ID,
	// the question keeps it.
	ID string
}

// find returns the index of the question that a decision refers to.
func (p *planner) find(name string) (int, error) {
	index := -1
	for i, q := range p.Live() {
		isNamed := name == fmt.Sprintf("questions[%d]", i) || name != "" && name == q.ID || isShort(name) && strings.HasPrefix(q.ID, name)
		switch {
		case !isNamed:
		case index >= 0:
			return -1, fmt.Errorf("several questions have the ID %q. Use the position instead, such as questions[0]", name)
		default:
			index = i
		}
	}
	if index < 0 {
		return -1, fmt.Errorf("the survey does not have a question %q. Use its ID, or its position, such as questions[0]", name)
	}
	return index, nil
}

// shortest is the minimum length of an ID prefix.
const shortest = 8

func isShort(id string) bool { return len(id) >= shortest && len(id) < 36 }

// whole completes an unambiguous ID prefix, and returns any other text unchanged.
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

// decide validates the decisions. A question may receive the ID of another one for which another ID is decided.
func (p *planner) decide() error {
	p.decided = map[int]string{}
	for _, decision := range p.options.Decisions {
		id := p.whole(decision.ID)
		i, err := p.find(decision.Question)
		if err != nil {
			return err
		}
		_, isKnown := p.Holding(id)
		_, isTwice := p.decided[i]
		switch {
		case isTwice:
			return fmt.Errorf("more than one --question decides %q", decision.Question)
		case p.isChosen(id):
			return fmt.Errorf("two questions would receive the ID %q", id)
		case !isKnown:
			return fmt.Errorf("no source contains the ID %q of this survey, so its question is unknown. "+
				"Set --snapshot or --state to a source that contains it", id)
		}
		p.decided[i] = id
	}

	for _, i := range slices.Sorted(maps.Keys(p.decided)) {
		if err := p.checkDecision(i, p.decided[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkDecision refuses an ID that questions[i] can't receive, or whose answers belong to another question.
func (p *planner) checkDecision(i int, id string) error {
	live := p.Live()[i]
	holding, _ := p.Holding(id)
	isHeld := false
	for j, other := range p.Live() {
		isHeld = isHeld || other.ID == id && p.decided[j] == ""
	}
	switch {
	case live.ID != id && isHeld:
		return fmt.Errorf("another question has the ID %q", id)
	case !p.hadType(id, live.Type):
		return fmt.Errorf("the ID %q belongs to a question of type %s, but this question has type %s, so the answers would not fit",
			id, holding.Last.Type, live.Type)
	}

	if owner, belongs := p.owner(i, holding); owner >= 0 && p.decided[owner] == "" && !p.options.DetachedAnswers {
		return fmt.Errorf("the answers under the ID %q %s questions[%d] %s, not to questions[%d] %s. "+
			"To restore the ID there, use --question %s. To move its answers anyway, add --allow-detached-answers",
			id, belongs, owner, identity.Excerpt(p.Live()[owner].Text), i, identity.Excerpt(live.Text),
			escape.Shell(fmt.Sprintf("questions[%d]=%s", owner, id)))
	}
	return nil
}

// hadType reports whether a question of this type ever had an ID.
func (p *planner) hadType(id, kind string) bool {
	return slices.ContainsFunc(p.Lists, func(list List) bool {
		return slices.ContainsFunc(list.Questions, func(q Question) bool { return q.ID == id && q.Type == kind })
	})
}

// owner returns the index of the live question other than questions[i] to which the answers under an
// ID belong, or -1. If the activity log lacks the save, it is a question with the same text, unless
// questions[i] could also continue the ID's question. Equal questions are interchangeable.
func (p *planner) owner(i int, holding Holding) (index int, belongs string) {
	live, lines, line := p.Live()[i], p.LiveLineages(), p.byID[holding.ID]
	isEqual := live.asks(holding.Last) && live.Content == holding.Last.Content
	if lines[i] == line || isEqual {
		return -1, ""
	}
	if index = slices.Index(lines, line); index >= 0 && p.Live()[index].Type == holding.Last.Type {
		return index, "belong to"
	}

	if findEvidence(live, lines[i], line, holding.Last, slices.Contains(p.predecessors(lines[i]), line)) != "" {
		return -1, ""
	}
	return slices.IndexFunc(p.Live(), holding.Last.asks), "seem to belong to"
}
