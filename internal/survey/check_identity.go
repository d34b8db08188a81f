package survey

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// pairs are the questions before and after, and which is which.
type pairs struct {
	before, after []Question
	// found has for each question after its place before, or -1.
	found []int
}

// questionPairs is empty while the questions are not known.
func questionPairs(config Fields, before, after subject) pairs {
	list, known := after.list, after.known
	if !config.Questions.IsNull() {
		// An id that the plan gave a question is an answer of match, not its input.
		var unreadable diag.Diagnostics
		list, known = questions(config.Questions, &unreadable)
	}
	if !before.known || !known {
		return pairs{}
	}
	return pairs{before: before.list, after: list, found: match(before.list, list)}
}

// was is the earlier place of a question, or -1.
func (p pairs) was(i int) int {
	if i >= len(p.found) {
		return -1
	}
	return p.found[i]
}

// warnOfMoves says what really happens to the questions when they change places:
// Terraform shows every place as changed.
func warnOfMoves(p pairs, diags *diag.Diagnostics) {
	var inserted []string
	var lines []string
	down, up := 0, 0
	for i, was := range p.found {
		name := excerpt(p.after[i].Question)
		switch {
		case was < 0:
			inserted = append(inserted, fmt.Sprint(i))
			lines = append(lines, fmt.Sprintf("questions[%d] is new: %s", i, name))
		case was < i:
			down++
			lines = append(lines, fmt.Sprintf("questions[%d] was questions[%d]: %s", i, was, name))
		case was > i:
			up++
			lines = append(lines, fmt.Sprintf("questions[%d] was questions[%d]: %s", i, was, name))
		}
	}
	if down+up == 0 {
		return
	}
	removed := 0
	for j, question := range p.before {
		if !slices.Contains(p.found, j) {
			removed++
			lines = append(lines, fmt.Sprintf("questions[%d] goes away: %s", j, excerpt(question.Question)))
		}
	}
	diags.AddAttributeWarning(path.Root("questions"), movesTitle(inserted, down, up, removed),
		"questions: Terraform compares lists place by place, so this plan shows changes to questions that only change places. "+
			"They keep their ids and the answers given to them. What happens:\n"+strings.Join(shortList(lines), "\n"))
}

// movesTitle counts: "1 question inserted at 2, 3 moved down".
func movesTitle(inserted []string, down, up, removed int) string {
	var parts []string
	count := func(n int, what string) {
		noun := ""
		if len(parts) == 0 {
			noun = " questions"
			if n == 1 {
				noun = " question"
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d%s %s", n, noun, what))
		}
	}
	count(len(inserted), "inserted at "+strings.Join(inserted, ", "))
	count(removed, "removed")
	count(down, "moved down")
	count(up, "moved up")
	return strings.Join(parts, ", ")
}

// shortList keeps a list readable.
func shortList(lines []string) []string {
	const most = 20
	if len(lines) <= most {
		return lines
	}
	return append(slices.Clone(lines[:most]), fmt.Sprintf("and %d more", len(lines)-most))
}

// warnOfLostAnswers says, of a survey that people are answering, which questions go
// away or become another kind.
func warnOfLostAnswers(p pairs, status types.String, diags *diag.Diagnostics) {
	if status.ValueString() != Running {
		return
	}
	for j, question := range p.before {
		i := slices.Index(p.found, j)
		retyped := i
		if i < 0 {
			retyped = slices.IndexFunc(p.after, func(q Question) bool { return q.Question.Equal(question.Question) && isKnown(q.Question) })
		}
		switch {
		case i >= 0 && (p.after[i].Type.IsUnknown() || p.after[i].Type.Equal(question.Type)):
		case retyped >= 0 && (i >= 0 || p.found[retyped] < 0):
			kind := p.after[retyped].Type.ValueString()
			lost := "It becomes a new question with an id of its own, and the answers given so far stay behind without a question."
			if i >= 0 {
				lost = "It keeps its id, so answers of both kinds will stand under it."
			}
			spot := path.Root("questions").AtListIndex(retyped).AtName("type")
			diags.AddAttributeWarning(spot, "A running survey's question changes its type",
				fmt.Sprintf("%s goes from %s to %s: %s. %s", spot, question.Type.ValueString(), kind, excerpt(question.Question), lost))
		default:
			diags.AddAttributeWarning(path.Root("questions"), "A running survey loses a question",
				fmt.Sprintf("questions[%d] until now goes away: %s. The answers given to it lose their question. "+
					"If it is only reworded beyond recognition, give the new one its id: %q.", j, excerpt(question.Question), question.ID.ValueString()))
		}
	}
}

// excerpt quotes a text, the beginning of a long one.
func excerpt(text types.String) string {
	const most = 60
	if runes := []rune(text.ValueString()); len(runes) > most {
		return fmt.Sprintf("%q", string(runes[:most])+"...")
	}
	return fmt.Sprintf("%q", text.ValueString())
}
