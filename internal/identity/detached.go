package identity

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// DetachedAnswers is what every command calls the damage of a save that left out the ID of a
// question: PostHog gives the question another ID, and the answers before stay under the old one.
const DetachedAnswers = "detached answers"

// replacement is what is remembered of a question whose ID a save replaced. It is the same
// question under both.
type replacement struct {
	// Old is the ID that the question had before all saves of that kind.
	Old string `json:"old"`
	Counts
	// IsPossible is set when a certain match does not show it. Others are further questions that it may
	// be.
	IsPossible bool     `json:"likely,omitempty"`
	Others     []string `json:"others,omitempty"`
	// IsEdited is set when the save changed the content of the question, too.
	IsEdited bool `json:"edited,omitempty"`
}

// IsCertain reports whether it is certainly the same question.
func (r replacement) IsCertain() bool { return !r.IsPossible }

// Counts are what PostHog says of the answers to a question that has two IDs.
type Counts struct {
	// Before is how many answers are under the old ID, at most; Since how many are under the new
	// one. They are nil where PostHog doesn't count them.
	Before *int64 `json:"before,omitempty"`
	Since  *int64 `json:"since,omitempty"`
	// Stays is set when answers came in under both IDs, so that the question keeps the one that
	// it has until someone decides.
	Stays bool `json:"stays,omitempty"`
}

// Detached is a question that has another ID than the one with its answers.
type Detached struct {
	// Position is its index in the list that PostHog holds, Text what it asks there, and ID the one
	// that it has there; empty for none.
	Position int
	Text     string
	ID       string
	// OldID is the ID with the answers from before, OldText what the question asked under it.
	OldID, OldText string
	Counts
	// IsPossible is set when it may be another question: that is reported, and nothing is done.
	IsPossible bool
	// IsStated is set when a configuration states the old ID, so that an apply restores it.
	IsStated bool
}

// IsHarmless reports whether no answers are known to be under the old ID: nothing is detached.
func (d Detached) IsHarmless() bool { return d.Before != nil && *d.Before == 0 }

// String says which question it is and how many answers are under which ID.
func (d Detached) String() string {
	question := fmt.Sprintf("questions[%d] %s", d.Position, Excerpt(d.Text))
	switch {
	case d.IsPossible:
		return fmt.Sprintf("%s: possibly %s of %s (%s)", question, DetachedAnswers, Excerpt(d.OldText), d.Answers())
	case d.IsHarmless():
		return fmt.Sprintf("%s: the ID was replaced, no answers are affected (%s)", question, d.Answers())
	}
	if d.OldText != "" && d.OldText != d.Text {
		return fmt.Sprintf("%s: %s of %s (%s)", question, DetachedAnswers, Excerpt(d.OldText), d.Answers())
	}
	return fmt.Sprintf("%s: %s (%s)", question, DetachedAnswers, d.Answers())
}

// Answers says how many answers are under which ID.
func (d Detached) Answers() string {
	now := "it has no ID now"
	if d.ID != "" {
		now = fmt.Sprintf("%s under the new ID %s", answers(d.Since, ""), d.ID)
	}
	return fmt.Sprintf("%s under the old ID %s, %s", answers(d.Before, "at most "), d.OldID, now)
}

func answers(n *int64, qualifier string) string {
	switch {
	case n == nil:
		return "an unknown number of answers"
	case *n == 0:
		return "no answers"
	case *n == 1:
		return qualifier + "1 answer"
	}
	return fmt.Sprintf("%s%d answers", qualifier, *n)
}

// Excerpt quotes a text, or the beginning of a long one.
func Excerpt(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "..."
	}
	return fmt.Sprintf("%q", text)
}

// DetachedList is the questions of a survey that have another ID than the one with their answers.
type DetachedList []Detached

// Certain are those that are certainly the same question under both IDs. Where the answers are
// has to be asked at each read, since respondents go on answering.
func (l DetachedList) Certain() DetachedList {
	return l.where(func(d Detached) bool { return !d.IsPossible })
}

// OldIDs are the IDs with the answers from before.
func (l DetachedList) OldIDs() []string {
	var ids []string
	for _, d := range l {
		ids = append(ids, d.OldID)
	}
	return ids
}

// Possible are those that may be another question.
func (l DetachedList) Possible() DetachedList {
	return l.where(func(d Detached) bool { return d.IsPossible })
}

// WithAnswers are those that certainly or possibly have answers under the old ID.
func (l DetachedList) WithAnswers() DetachedList {
	return l.where(func(d Detached) bool { return !d.IsHarmless() })
}

func (l DetachedList) where(matches func(Detached) bool) (found DetachedList) {
	for _, d := range l {
		if matches(d) {
			found = append(found, d)
		}
	}
	return found
}

// Lines are the questions, one on each line. Terraform does not wrap lines that begin with spaces.
func (l DetachedList) Lines() string {
	var b strings.Builder
	for n, d := range l {
		if n > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("  " + d.String())
	}
	return b.String()
}

// RepairCommand is the command that restores the old IDs of a survey, on a line of its own.
// withState is set where PostHog has no activity log: the state remembers the IDs, and repair
// decides nothing by itself. IDs are written in full: those that one save creates may begin alike.
func (l DetachedList) RepairCommand(survey string, withState bool) string {
	words := []string{"  posthog-sync repair", escape.Shell(survey)}
	if withState {
		words = append(words, "--state .")
	}
	return strings.Join(append(append(words, l.Decisions(withState)...), "--yes"), " ")
}

// Decisions are the arguments of repair that restore the old IDs about which it decides nothing by
// itself; all of them without an activity log.
func (l DetachedList) Decisions(isUnlogged bool) (words []string) {
	isUsed := map[string]bool{}
	for _, d := range l {
		question := d.ID
		if question == "" { // PostHog gave it none
			question = fmt.Sprintf("questions[%d]", d.Position)
		}
		if isDecision := isUnlogged || d.IsPossible || d.Stays; isDecision && !isUsed[question] && !isUsed[d.OldID] {
			isUsed[question], isUsed[d.OldID] = true, true
			words = append(words, "--question", escape.Shell(question+"="+d.OldID))
		}
	}
	return words
}

// Detached are those of the questions that PostHog holds that have another ID than the one with
// their answers.
func (h History) Detached(live []Question) DetachedList {
	var found DetachedList
	for i, q := range live {
		r, ok := h.replaced[q.ID]
		if !ok {
			continue
		}
		found = append(found, h.listOldIDs(i, q, r)...)
		if earlier, isEarlier := h.replaced[r.Old]; isEarlier && earlier.IsPossible && r.IsCertain() {
			found = append(found, h.listOldIDs(i, q, earlier)...)
		}
	}
	return found
}

// listOldIDs are the IDs that a question had or may have had before a save replaced them.
func (h History) listOldIDs(position int, q Question, r replacement) (found DetachedList) {
	for _, old := range append([]string{r.Old}, r.Others...) {
		found = append(found, Detached{
			Position: position, Text: q.Text, ID: q.ID, OldID: old, OldText: h.LastText(old), Counts: r.Counts, IsPossible: r.IsPossible,
		})
	}
	return found
}

// LastText is what a question asked last under an ID.
func (h History) LastText(id string) string {
	for _, list := range h.versions {
		if i := IndexByID(list, id); i >= 0 {
			return list[i].Text
		}
	}
	return ""
}

// WithCounts is the history with what PostHog says of a question of [DetachedList.Certain]. What it once
// said holds while it says nothing.
func (h History) WithCounts(id string, counts Counts) History {
	r := h.replaced[id]
	if counts.Since == nil && r.Since != nil {
		return h
	}
	r.Counts = counts
	h.replaced = maps.Clone(h.replaced)
	h.replaced[id] = r
	return h
}

// AfterReturn is the history after someone restored the ID of a question of [DetachedList.Certain]: it
// had that before the remembered one.
func (h History) AfterReturn(id string) History {
	h.replaced = maps.Clone(h.replaced)
	moveRoot(h.replaced, h.replaced[id].Old, id)
	return h
}

// detect returns the replaced IDs after a read: it finds the questions that have an ID by which
// the configuration does not know them, among those of the newest version that are gone.
func (h History) detect(live []Question) map[string]replacement {
	replaced := map[string]replacement{}
	for id, r := range h.replaced {
		if !has(live, id) || !has(live, r.Old) { // else they are two questions
			replaced[id] = r
		}
	}
	passWithoutAnswers(replaced, live)
	h.replaced = replaced

	fresh, rooted := h.findFresh(live)
	_, versions := h.withCarriedIDs(live)
	previous := h.underRoots(versions[h.comparedVersion()])
	for j, q := range previous {
		if isAnonymous(q.ID) {
			previous[j].ID = ""
		}
	}
	pairs := Match(previous, rooted)
	isWithoutIDs := !slices.ContainsFunc(pairs, func(p Pair) bool { return p.Rule == SameID })

	guesses := 0
	for _, pair := range pairs {
		if pair.Rule == SamePosition {
			guesses++
		}
	}

	for i, pair := range pairs {
		isGuess := pair.Rule == SamePosition && (!isWithoutIDs || guesses > 1) // someone replaced the question
		if !fresh[i] || isGuess {
			continue
		}
		// Nobody can tell whether a similar text with another ID asks the same, nor whether one
		// of several of a text does that has other content.
		isOnly := countText(previous, live[i]) == 1 && countText(rooted, live[i]) == 1
		isSame := pair.IsCertain && (pair.Rule == Identical || pair.Rule == SameText && isOnly)
		switch {
		case pair.Was.ID != "" && isSame:
			h.join(replaced, live[i].ID, replacement{Old: pair.Was.ID, IsEdited: pair.Rule == SameText && pair.Was.Content.isKnown()})
		case pair.Was.ID != "":
			replaced[live[i].ID] = replacement{Old: pair.Was.ID, IsPossible: true}
		default:
			joinPossible(replaced, live[i].ID, pair.Candidates)
		}
	}
	for _, q := range live {
		if _, isJoined := replaced[q.ID]; !isJoined && q.ID != "" {
			joinPossible(replaced, q.ID, h.findMissing(replaced, live, q))
		}
	}
	return replaced
}

// passWithoutAnswers makes a replaced ID the one that a question is to have, once another save
// replaced it, too: there were no answers under the ID before it, and there may be some under it.
func passWithoutAnswers(replaced map[string]replacement, live []Question) {
	for _, id := range slices.Sorted(maps.Keys(replaced)) {
		r := replaced[id]
		if isHarmless := r.Before != nil && *r.Before == 0; r.IsCertain() && isHarmless && !has(live, id) && !has(live, r.Old) {
			moveRoot(replaced, r.Old, id)
		}
	}
}

// findFresh reports which questions have IDs that the configuration doesn't know, and returns the
// questions under the roots of their IDs, those without.
func (h History) findFresh(live []Question) (fresh []bool, rooted []Question) {
	fresh, rooted = make([]bool, len(live)), h.underRoots(live)
	for i, q := range live {
		_, isReplaced := h.replaced[q.ID]
		isRoot := slices.ContainsFunc(slices.Collect(maps.Values(h.replaced)), func(r replacement) bool { return r.IsCertain() && r.Old == q.ID })
		isKnown := slices.ContainsFunc(h.versions[h.comparedVersion():h.written+1], func(list []Question) bool { return has(list, q.ID) })
		if fresh[i] = q.ID != "" && !isReplaced && !isRoot && !isKnown; fresh[i] {
			rooted[i].ID = ""
		}
	}
	return fresh, rooted
}

// countText is how many questions of a list have the text of a question. One with another type may be
// the same question, retyped.
func countText(list []Question, q Question) int {
	t, n := newTexts(), 0
	for _, candidate := range list {
		if t.same(candidate.Text, q.Text) {
			n++
		}
	}
	return n
}

// comparedVersion is the version against which a read looks for replaced IDs: the newest; the last written one
// of a history from a release that did not look for them, which has no content either.
func (h History) comparedVersion() int {
	if slices.ContainsFunc(h.versions[0], func(q Question) bool { return !q.Content.isKnown() }) {
		return h.written
	}
	return 0
}

// underRoots are questions with the one ID by which all their IDs are known. Two questions
// that PostHog holds keep theirs.
func (h History) underRoots(list []Question) []Question {
	under := slices.Clone(list)
	for i, q := range list {
		if root := h.root(q.ID); !has(list, root) {
			under[i].ID = root
		}
	}
	return under
}

// join records that a question certainly had another ID. An ID from before the last write is one that
// someone restored.
func (h History) join(replaced map[string]replacement, id string, r replacement) {
	isOlder := slices.ContainsFunc(h.versions[h.written+1:], func(list []Question) bool { return has(list, id) })
	if isOlder {
		moveRoot(replaced, r.Old, id)
		return
	}
	replaced[id] = r
}

// joinPossible records the questions that one may be.
func joinPossible(replaced map[string]replacement, id string, candidates []Question) {
	var olds []string
	for _, c := range candidates {
		if c.ID != "" && !slices.Contains(olds, c.ID) {
			olds = append(olds, c.ID)
		}
	}
	if len(olds) > 0 {
		replaced[id] = replacement{Old: olds[0], Others: olds[1:], IsPossible: true}
	}
}

// findMissing are the questions since the last write that PostHog no longer holds, and that one which no write
// had may be: it has their type, and a similar text.
func (h History) findMissing(replaced map[string]replacement, live []Question, q Question) (missing []Question) {
	if has(h.Written(), q.ID) {
		return nil
	}
	t, liveRooted := newTexts(), h.underRoots(live)
	for _, list := range h.versions[:h.written+1] {
		for _, old := range list {
			old.ID = h.root(old.ID)
			isHeld := has(liveRooted, old.ID) || slices.ContainsFunc(live, func(liveQuestion Question) bool {
				return replaced[liveQuestion.ID].Old == old.ID && replaced[liveQuestion.ID].IsCertain()
			})
			if !isHeld && old.Type == q.Type && t.similarity(old.Text, q.Text) >= similarShare {
				missing = append(missing, old)
			}
		}
	}
	return missing
}

// FindRestored are the questions that PostHog holds under another ID than the one that a configuration
// states for them, and that they had before.
func (h History) FindRestored(live, config []Question) DetachedList {
	var found DetachedList
	for i, pair := range h.Match(live, config) {
		if pair.Index < 0 || pair.Rule != SameID || live[pair.Index].ID == "" || h.root(live[pair.Index].ID) == h.root(config[i].ID) {
			continue
		}
		q := live[pair.Index]
		found = append(found, Detached{Position: pair.Index, Text: q.Text, ID: q.ID, OldID: config[i].ID, OldText: pair.Was.Text})
	}
	return found
}
