package identity

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// DetachedAnswers is the term for answers under an ID that no question has. They result from a save
// without question IDs: PostHog assigns new IDs, and the earlier answers stay under the old ones.
const DetachedAnswers = "detached answers"

// replacement records that a save replaced a question's ID. Both IDs belong to the same question.
type replacement struct {
	// Old is the ID that the question had before all such saves.
	Old string `json:"old"`
	Counts
	// IsPossible is set unless a certain match proves the replacement. Others are further questions
	// that the question may continue.
	IsPossible bool     `json:"likely,omitempty"`
	Others     []string `json:"others,omitempty"`
	// IsEdited is set if the same save also changed the question's content.
	IsEdited bool `json:"edited,omitempty"`
	// Logged is what the activity log shows about the two IDs, if it contradicts the match. Separate contains other IDs
	// that the match allowed, but belong to questions that the survey had at the same time.
	Logged   Relation `json:"logged,omitempty"`
	Separate []string `json:"separate,omitempty"`
}

// Relation is what the activity log shows about a live question and a missing one that a match does not
// tell apart. The log contains the saves between two reads.
type Relation string

// The relations. The zero Relation does not contradict a match.
const (
	// Separate means that the survey had both questions at the same time.
	Separate Relation = "separate"
	// Later means that the survey had neither question for some time, so that the match is only possible.
	Later Relation = "later"
)

// IsCertain reports whether both IDs certainly belong to the same question.
func (r replacement) IsCertain() bool { return !r.IsPossible }

// Counts are the answer counts for a question that has two IDs.
type Counts struct {
	// Before is the maximum number of answers under the old ID, and Since the number under the new
	// ID. They are nil if PostHog doesn't count them.
	Before *int64 `json:"before,omitempty"`
	Since  *int64 `json:"since,omitempty"`
	// Stays is set if both IDs have answers, so that the question keeps its current ID until the
	// user decides.
	Stays bool `json:"stays,omitempty"`
}

// Detached is a question whose current ID isn't the one with its answers.
type Detached struct {
	// Position is the live question's index, Text its text, and ID its ID, which can be empty.
	Position int
	Text     string
	ID       string
	// OldID is the ID with the earlier answers, and OldText the text that the question had under that ID.
	OldID, OldText string
	Counts
	// IsPossible is set if the ID could belong to a different question. It is then only reported.
	IsPossible bool
	// IsMoved is set if a save gave the question the ID of another one, or gave its ID to another one.
	IsMoved bool
	// HasSharedID is set if another live question has the same ID.
	HasSharedID bool
	// IsTaken is set if another question, which has not moved, has the old ID, so that a repair cannot restore it.
	IsTaken bool
	// IsCarried is set if PostHog has not assigned another ID, and a plan restores the old one.
	IsCarried bool
	// IsStated is set if a configuration sets the old ID, so that an apply restores it. IsKept is set
	// if an apply keeps the current ID, because the configuration sets it or ignores its change.
	IsStated, IsKept bool
}

// IsHarmless reports whether the old ID is known to have no answers, so that nothing is detached.
func (d Detached) IsHarmless() bool { return d.Before != nil && *d.Before == 0 }

// String describes the question and the number of answers under each ID.
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

// Answers describes the number of answers under each ID.
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

// Excerpt quotes a text, and shortens a long one.
func Excerpt(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "..."
	}
	return fmt.Sprintf("%q", text)
}

// DetachedList lists a survey's detached questions.
type DetachedList []Detached

// Certain returns the questions that are certainly the same under both IDs. Respondents continue to
// answer, so callers must count the answers at each read.
func (l DetachedList) Certain() DetachedList {
	return l.where(func(d Detached) bool { return !d.IsPossible })
}

// Restored returns the questions of Certain whose old IDs a plan restores.
func (l DetachedList) Restored() DetachedList {
	return l.where(func(d Detached) bool { return !d.IsPossible && (!d.Stays || d.IsStated) })
}

// Undecided returns the questions of Certain that have, or may have, answers under both IDs. These questions keep
// their current IDs.
func (l DetachedList) Undecided() DetachedList {
	return l.where(func(d Detached) bool { return !d.IsPossible && d.Stays && !d.IsStated })
}

// OldIDs returns the IDs with the earlier answers.
func (l DetachedList) OldIDs() []string {
	var ids []string
	for _, d := range l {
		ids = append(ids, d.OldID)
	}
	return ids
}

// Taken returns the entries whose old IDs other questions have now, so that a repair cannot restore them.
func (l DetachedList) Taken() DetachedList {
	return l.where(func(d Detached) bool { return d.IsTaken })
}

// Free returns the entries whose old IDs a repair can restore.
func (l DetachedList) Free() DetachedList {
	return l.where(func(d Detached) bool { return !d.IsTaken })
}

// Possible returns the entries that could be different questions.
func (l DetachedList) Possible() DetachedList {
	return l.where(func(d Detached) bool { return d.IsPossible })
}

// WithAnswers returns the questions that have, or could have, answers under the old ID.
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

// MergeDetached merges the information that several sources have about the same live questions, in
// the order of their positions. For each question, it uses the first source that is certain, or the
// first source if none is. An old ID is certain for one question only.
func MergeDetached(sources ...DetachedList) (merged DetachedList) {
	best := map[int]DetachedList{}
	owners := map[string]int{}
	for _, source := range sources {
		byPosition := map[int]DetachedList{}
		for _, d := range source {
			byPosition[d.Position] = append(byPosition[d.Position], d)
		}
		for _, position := range slices.Sorted(maps.Keys(byPosition)) {
			list := byPosition[position]
			if known := best[position]; len(known) > 0 && (len(known.Certain()) > 0 || len(list.Certain()) == 0) {
				continue
			}
			best[position] = list
			for _, id := range list.Certain().OldIDs() {
				if _, isOwned := owners[id]; !isOwned {
					owners[id] = position
				}
			}
		}
	}

	for _, position := range slices.Sorted(maps.Keys(best)) {
		for _, d := range best[position] {
			d.IsPossible = d.IsPossible || owners[d.OldID] != position
			merged = append(merged, d)
		}
	}
	return merged
}

// Lines formats one question per line. Terraform doesn't wrap lines that start with spaces.
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

// Repair describes a posthog-sync repair command for a survey.
type Repair struct {
	// Survey is the survey's name. ID replaces a name that is empty or looks like a flag.
	Survey, ID string
	// Flags tell repair where to find the survey and the old IDs.
	Flags []string
	// IsUnlogged is set if the activity log does not show the old IDs, so that repair needs a decision for each question.
	IsUnlogged bool
}

// Command returns the command line that restores the old IDs of the questions in a list. IDs are written in full, because
// IDs from one save can start with the same characters.
func (r Repair) Command(list DetachedList) string {
	name := r.Survey
	if name == "" || strings.HasPrefix(name, "-") {
		name = r.ID
	}
	words := []string{"posthog-sync", "repair", escape.Shell(name)}
	for _, flag := range r.Flags {
		words = append(words, escape.Shell(flag))
	}
	return strings.Join(append(append(words, list.decisions(r.IsUnlogged)...), "--yes"), " ")
}

// decisions returns the repair arguments for old IDs that repair doesn't restore automatically.
// Without an activity log, these are all of them.
func (l DetachedList) decisions(isUnlogged bool) (words []string) {
	isDecided, isUsed := map[string]bool{}, map[string]bool{}
	for _, d := range l {
		question := d.ID
		if question == "" || d.HasSharedID {
			question = fmt.Sprintf("questions[%d]", d.Position)
		}
		if isDecision := isUnlogged || d.IsPossible || d.Stays; isDecision && !d.IsTaken && !isDecided[question] && !isUsed[d.OldID] {
			isDecided[question], isUsed[d.OldID] = true, true
			words = append(words, "--question", escape.Shell(question+"="+d.OldID))
		}
	}
	return words
}

// Detached returns the live questions whose ID isn't the one with their answers, those that a save
// left without an ID and that may continue a missing question, and those that a save gave the ID of another
// question.
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
	return append(append(found, h.leftOut(live)...), h.movedIDs(live)...)
}

// MayHideReplaced reports whether a question that is new since an earlier history may have replaced a missing one,
// although they do not match: the text may have changed before the ID did. Only the saves in between show it.
func (h History) MayHideReplaced(earlier History, live []Question) bool {
	found := h.Detached(live)
	isNew := func(q Question) bool {
		return q.ID != "" && !earlier.Has(q.ID) && !slices.ContainsFunc(found, func(d Detached) bool { return d.ID == q.ID })
	}
	isGone := func(q Question) bool {
		return q.ID != "" && !has(live, q.ID) && !slices.ContainsFunc(found, func(d Detached) bool { return d.OldID == q.ID })
	}
	return slices.ContainsFunc(live, isNew) && slices.ContainsFunc(earlier.Newest(), isGone)
}

// Carried returns the questions that a save left without an ID, and whose old ID a plan restores. If the text changed as
// well, the questions are only possibly the same.
func (h History) Carried(live []Question) (found DetachedList) {
	t := newTexts()
	for i, q := range h.WithCarriedIDs(live) {
		if live[i].ID != "" || q.ID == "" {
			continue
		}
		d := Detached{Position: i, Text: q.Text, OldID: q.ID, OldText: h.LastText(q.ID), IsCarried: true}
		d.IsPossible = d.OldText != "" && !t.same(d.OldText, d.Text)
		found = append(found, d)
	}
	return found
}

// leftOut returns the questions without an ID that may be missing ones: those at the position of a missing question,
// and those that continue one of several. A plan does not restore these IDs. The next write makes them new questions.
func (h History) leftOut(live []Question) (found DetachedList) {
	if !slices.ContainsFunc(live, func(q Question) bool { return q.ID == "" }) {
		return nil
	}

	carried := h.WithCarriedIDs(live)
	for i, pair := range MatchSaved(h.lastWithIDs(), live) {
		missing := pair.Candidates
		if pair.Rule == SamePosition {
			missing = []Question{pair.Was}
		}
		for _, old := range missing {
			if carried[i].ID == "" && old.ID != "" && !has(carried, old.ID) {
				found = append(found, Detached{Position: i, Text: live[i].Text, OldID: old.ID, OldText: old.Text, IsPossible: true})
			}
		}
	}
	return found
}

// lastWithIDs returns the newest version since the last write in which each question has an ID, or the written version if
// there is none.
func (h History) lastWithIDs() []Question {
	for _, list := range h.versions[:min(h.written+1, len(h.versions))] {
		if !slices.ContainsFunc(list, func(q Question) bool { return q.ID == "" }) {
			return list
		}
	}
	return h.Written()
}

// listOldIDs returns one entry for each ID that a question had, or may have had, before a save
// replaced it.
func (h History) listOldIDs(position int, q Question, r replacement) (found DetachedList) {
	if r.Logged == Separate {
		return nil
	}
	for _, old := range append([]string{r.Old}, r.Others...) {
		found = append(found, Detached{
			Position: position, Text: q.Text, ID: q.ID, OldID: old, OldText: h.LastText(old), Counts: r.Counts, IsPossible: r.IsPossible,
		})
	}
	return found
}

// LastText returns the latest text that the question with an ID had.
func (h History) LastText(id string) string {
	for _, list := range h.versions {
		if i := IndexByID(list, id); i >= 0 {
			return list[i].Text
		}
	}
	return ""
}

// WithCounts returns the history with new counts for a question of [DetachedList.Certain]. It keeps
// the old counts if PostHog returns none.
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

// WithReplaced returns the history with another source's information about a live question: it
// certainly had the old ID, under which its answers are stored. ids are all IDs that the question
// had.
func (h History) WithReplaced(d Detached, ids []string) History {
	if d.ID == "" {
		return h
	}

	replaced := map[string]replacement{}
	maps.Copy(replaced, h.replaced)
	if root := h.root(d.ID); root != d.ID && root != d.OldID && slices.Contains(ids, root) {
		moveRoot(replaced, root, d.OldID)
	}
	for id, r := range replaced {
		if r.IsCertain() && r.Old == d.OldID && id != d.ID && !slices.Contains(ids, id) {
			r.IsPossible = true // the old ID belongs to this question
			replaced[id] = r
		}
	}
	if replaced[d.OldID].IsCertain() {
		delete(replaced, d.OldID) // the old ID represents the others
	}
	replaced[d.ID] = replacement{Old: d.OldID, Counts: d.Counts, IsEdited: h.replaced[d.ID].IsEdited}
	h.replaced = replaced
	return h
}

// WithLogged returns the history with the relation that the activity log shows between a live question
// and an old ID.
func (h History) WithLogged(d Detached, relation Relation) History {
	r := h.replaced[d.ID]
	others := slices.DeleteFunc(append([]string{r.Old}, r.Others...), func(id string) bool { return id == d.OldID })
	switch isOnly := len(others) == 0; {
	case relation == "" || len(others) > len(r.Others): // another entry contains the old ID
		return h
	case relation == Separate && !isOnly:
		r.Old, r.Others, r.Separate = others[0], others[1:], append(slices.Clone(r.Separate), d.OldID)
	case relation == Separate:
		r = replacement{Old: d.OldID, IsPossible: true, Logged: Separate, Separate: r.Separate}
	case isOnly:
		r.IsPossible, r.IsEdited, r.Logged = true, false, Later
	}

	h.replaced = maps.Clone(h.replaced)
	h.replaced[d.ID] = r
	h.restores = h.wouldChange(h.Newest())
	return h
}

// CheckLogged returns the detached questions that another source found, as far as the activity log does not
// contradict them.
func (h History) CheckLogged(list DetachedList) (checked DetachedList) {
	for _, d := range list {
		r := h.replaced[d.ID]
		d.IsPossible = d.IsPossible || r.Logged == Later && r.Old == d.OldID
		isSeparate := slices.Contains(r.Separate, d.OldID) || r.Logged == Separate && r.Old == d.OldID
		if !isSeparate {
			checked = append(checked, d)
		}
	}
	return checked
}

// AfterReturn returns the history after someone restored an ID that is older than the recorded one,
// for a question of [DetachedList.Certain].
func (h History) AfterReturn(id string) History {
	h.replaced = maps.Clone(h.replaced)
	moveRoot(h.replaced, h.replaced[id].Old, id)
	return h
}

// detect returns the replaced IDs after a read. It looks for live questions with IDs unknown to the
// configuration that continue missing questions from the newest version.
func (h History) detect(live []Question) map[string]replacement {
	replaced := map[string]replacement{}
	for id, r := range h.replaced {
		if !has(live, id) || !has(live, r.Old) { // otherwise, they are two questions
			replaced[id] = r
		}
	}
	passWithoutAnswers(replaced, live)
	h.replaced = replaced

	held, versions := h.withCarriedIDs(live)
	fresh, rooted := h.findFresh(live, withoutPlaceholders(held))
	previous := h.underRoots(withoutPlaceholders(versions[h.comparedVersion()]))
	pairs, moved := MatchSaved(previous, rooted), make([]MovedID, len(live))
	if slices.Contains(fresh, true) {
		moved = h.moved(live)
	}
	for i, pair := range pairs {
		isHeld := pair.Was.ID != "" && has(rooted, pair.Was.ID) // two questions had the ID
		if !fresh[i] || isHeld || moved[i].Was.ID != "" && !pair.IsCertain {
			continue
		}
		switch {
		case pair.Was.ID != "" && pair.IsCertain:
			h.join(replaced, live[i].ID, replacement{Old: pair.Was.ID, IsEdited: pair.Rule == SameText && pair.Was.Content.isKnown()})
		case pair.Was.ID != "":
			replaced[live[i].ID] = replacement{Old: pair.Was.ID, IsPossible: true}
		default:
			joinPossible(replaced, live[i].ID, pair.Candidates)
		}
	}
	for i, q := range live {
		if _, isJoined := replaced[q.ID]; !isJoined && q.ID != "" && moved[i].Was.ID == "" {
			joinPossible(replaced, q.ID, h.findMissing(replaced, live, rooted, q))
		}
	}
	return replaced
}

// passWithoutAnswers moves the root of a question whose new ID was itself replaced. The old root
// had no answers, but the ID that replaced it may have some.
func passWithoutAnswers(replaced map[string]replacement, live []Question) {
	for _, id := range slices.Sorted(maps.Keys(replaced)) {
		r := replaced[id]
		if isHarmless := r.Before != nil && *r.Before == 0; r.IsCertain() && isHarmless && !has(live, id) && !has(live, r.Old) {
			moveRoot(replaced, r.Old, id)
		}
	}
}

// findFresh reports which live questions have IDs that are unknown to the configuration, and
// returns the questions under their root IDs, without the unknown ones. held are the live questions with the IDs that a
// save left out.
func (h History) findFresh(live, held []Question) (fresh []bool, rooted []Question) {
	fresh, rooted = make([]bool, len(live)), h.underRoots(held)
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

// comparedVersion returns the index of the version with which a read compares the live questions.
// It is the newest version, or the last written version if an earlier release stored the history,
// because that release did not look for replaced IDs.
func (h History) comparedVersion() int {
	if slices.ContainsFunc(h.versions[0], func(q Question) bool { return !q.Content.isKnown() }) {
		return h.written
	}
	return 0
}

// underRoots returns the questions under their root IDs. If the live questions contain both IDs
// of a question, they are two questions and keep their IDs.
func (h History) underRoots(list []Question) []Question { return withRoots(list, h.root) }

// withRoots replaces the ID of each question by the root, unless another question has the root.
func withRoots(list []Question, root func(id string) string) []Question {
	under := slices.Clone(list)
	for i, q := range list {
		if id := root(q.ID); !has(list, id) {
			under[i].ID = id
		}
	}
	return under
}

// ReplacedIDs maps the IDs that a save assigned to questions to the IDs that they had before.
type ReplacedIDs map[string]string

// Undo returns the questions with the IDs that they had before. If both IDs of a question are in the list, they belong
// to two questions, which keep them.
func (r ReplacedIDs) Undo(list []Question) []Question {
	return withRoots(list, func(id string) string { return cmp.Or(r[id], id) })
}

// join records a certain replacement. If the new ID is from before the last write, someone restored
// it.
func (h History) join(replaced map[string]replacement, id string, r replacement) {
	isOlder := slices.ContainsFunc(h.versions[h.written+1:], func(list []Question) bool { return has(list, id) })
	if isOlder {
		moveRoot(replaced, r.Old, id)
		return
	}
	replaced[id] = r
}

// joinPossible records the questions that a live question may continue.
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

// findMissing returns the questions since the last write that PostHog no longer has and that q may
// continue, because they have q's type and a similar text. If q was part of the last write, the
// result is empty. rooted are the live questions under their root IDs.
func (h History) findMissing(replaced map[string]replacement, live, rooted []Question, q Question) (missing []Question) {
	if has(h.Written(), q.ID) {
		return nil
	}
	t := newTexts()
	for _, list := range h.versions[:h.written+1] {
		for _, old := range list {
			old.ID = h.root(old.ID)
			isHeld := has(rooted, old.ID) || slices.ContainsFunc(live, func(liveQuestion Question) bool {
				return replaced[liveQuestion.ID].Old == old.ID && replaced[liveQuestion.ID].IsCertain()
			})
			if !isHeld && old.Type == q.Type && t.similarity(old.Text, q.Text) >= similarShare {
				missing = append(missing, old)
			}
		}
	}
	return missing
}

// FindRestored returns the live questions for which the configuration sets an earlier ID.
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
