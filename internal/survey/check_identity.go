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
	origins       []origin
}

// questionPairs is empty while the questions are not known. applied are those that were
// last applied.
func questionPairs(config Fields, before, after subject, applied []Question) pairs {
	list, known := after.list, after.known
	if !config.Questions.IsNull() {
		// An id that the plan gave a question is an answer of match, not its input.
		var unreadable diag.Diagnostics
		list, known = questions(config.Questions, &unreadable)
	}
	if !before.known || !known {
		return pairs{}
	}
	var unreadable diag.Diagnostics
	prior, _ := questions(withAppliedIDs(before.Questions, applied, &unreadable), &unreadable)
	return pairs{before: before.list, after: list, origins: match(prior, applied, list)}
}

// was is the earlier place of a question, or -1.
func (p pairs) was(i int) int {
	if i >= len(p.origins) {
		return -1
	}
	return p.origins[i].prior
}

// becomes is the later place of a question, or -1.
func (p pairs) becomes(j int) int {
	return slices.IndexFunc(p.origins, func(from origin) bool { return from.prior == j })
}

// warnOfMoves says what really happens to the questions when they change places:
// Terraform shows every place as changed.
func warnOfMoves(p pairs, diags *diag.Diagnostics) {
	var inserted []string
	var lines []string
	down, up := 0, 0
	for i := range p.origins {
		was := p.was(i)
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
		if p.becomes(j) < 0 {
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
		i := p.becomes(j)
		retyped := i
		if i < 0 {
			retyped = slices.IndexFunc(p.after, func(q Question) bool { return q.Question.Equal(question.Question) && isKnown(q.Question) })
		}
		switch {
		case i >= 0 && (p.after[i].Type.IsUnknown() || p.after[i].Type.Equal(question.Type)):
		case retyped >= 0 && (i >= 0 || p.was(retyped) < 0):
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

// likeEnough is the share of a text that an edit leaves at least; what has less in
// common is probably another question.
const likeEnough = 0.3

// warnOfOtherQuestions says, of a survey that people are answering, which questions
// keep the id of one with a wholly different text.
func warnOfOtherQuestions(p pairs, status types.String, diags *diag.Diagnostics) {
	if status.ValueString() != Running {
		return
	}
	for i, from := range p.origins {
		if !from.byPlace || from.prior < 0 || !isKnown(p.after[i].Question) {
			continue
		}
		was, is := p.before[from.prior].Question, p.after[i].Question
		if was.Equal(is) || likeness(was.ValueString(), is.ValueString()) >= likeEnough {
			continue
		}
		spot := path.Root("questions").AtListIndex(i)
		diags.AddAttributeWarning(spot, "A running survey's question gets a wholly different text",
			fmt.Sprintf("%s goes from %s to %s and keeps its id %q: the answers given so far will stand under the new text. "+
				"If it is another question, set its id to a text that no other question of the survey has, such as a new UUID. The old answers then stay apart.",
				spot, excerpt(was), excerpt(is), from.id.ValueString()))
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
