package identity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// detachedIDs writes the detached answers of a survey as "new<old ...", with a question mark if they are only
// possible.
func detachedIDs(h History, live []Question) string {
	words := []string{}
	for _, d := range h.Detached(live) {
		word := d.ID + "<" + d.OldID
		if d.IsPossible {
			word += "?"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func TestReadDetectsReplacedIDs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ past, want string }{
		"all":                               {"open:a#A open:b#B | open:a#C open:b#D", "C<A D<B"},
		"some":                              {"open:a#A open:b#B | open:a#C open:b#B", "C<A"},
		"twice":                             {"open:a#A open:b#B | open:a#C open:b#D | open:a#E open:b#F", "E<A F<B"},
		"restored":                          {"open:a#A open:b#B | open:a#C open:b#D | open:a#A open:b#D", "D<B"},
		"both live":                         {"open:a#A open:b#B | open:a#C open:b#B | open:a#C open:b#B open:a#A", ""},
		"twins, swapped (F1)":               {"open:T/a#A open:T/b#B | open:T/b#C open:T/a#D", "C<B D<A"},
		"twins, other content and moved":    {"open:T/a#A open:T/b#B open:r#R | open:r#R open:T/c#C open:T/d#D", "C<A? C<B? D<A? D<B?"},
		"a twin for two":                    {"open:T/a#A | open:T/b#C open:T/c#D", "C<A? D<A?"},
		"reworded (F3)":                     {"open:Like_it?#A open:b#B | open:Dislike_it?#C open:b#D", "C<A? D<B"},
		"rewritten in place":                {"open:a#A open:b#B | open:a#C open:z#D", "C<A D<B?"},
		"all rewritten":                     {"open:a#A open:b#B | open:y#C open:z#D", ""},
		"IDs of some, one rewritten":        {"open:a#A open:b#B open:c#R | open:a#C open:z#D open:c#R", "C<A D<B?"},
		"other content in place (SameText)": {"open:T/a#A open:b#B | open:T/x#C open:z#D", "C<A D<B?"},

		"deleted, added again":                {"open:a#A open:b#B | open:b#B | open:a#C open:b#B", "C<A?"},
		"deleted, added in another type":      {"open:a#A open:b#B | open:b#B | link:a#C open:b#B", ""},
		"deleted before the last write":       {"open:a#A open:b#B | open:b#B | = open:d#B | open:d#B open:a#C", ""},
		"possible, then replaced":             {"open:Like_it?#A open:b#B | open:Dislike_it?#C open:b#D | open:Dislike_it?#E open:b#F", "E<C E<A? F<B"},
		"an equal twin took the ID, and went": {"open:T#A | open:T#U open:T#C | open:T#C", "C<A?"},
		"other content, beside one retyped":   {"open:T/s#A open:b#B | link:T/n#C open:T/h#D open:b#E", "D<A? E<B"},
		"other content alone":                 {"open:T/s#A open:b#B | open:T/h#D open:b#E", "D<A E<B"},
		"two similar to one":                  {"open:what_else/s#A | open:what_else?/w#U open:what_else_now/s#C", "U<A? C<A?"},
		"not reworded, not gone":              {"open:what_else#A open:b#B | open:what_else#A open:what_else?#U open:b#B", ""},

		"left out, without another":        {"open:a#A | open:a", ""},
		"left out, beside a new equal one": {"open:a#A open:b#B | open:a#U open:a open:b#B", ""},
		"new ID written":                   {"open:a#A | open:a#C | = open:a#C", ""},
		"new ID written, old one restored": {"open:a#A | open:a#C | = open:a#C | open:a#A", "A<C"},
		"new ID written, replaced":         {"open:a#A | open:a#C | = open:a#C | open:a#E", "E<C"},
		"possible, then written":           {"open:Like_it?#A | open:Like_it!#C | = open:Like_it!#C | open:Like_it!#C", ""},
		"text moved to a new question":     {"open:a#A open:b#B | open:x#A open:b#B open:a#C", ""},

		"an ID moved to another question":   {"open:a#A open:b#B | open:a#B open:b#C", "B<A? C<B?"},
		"it moved, and was read again":      {"open:a#A open:b#B | open:a#B open:b#C | open:a#B open:b#C", "B<A? C<B?"},
		"IDs by position, one inserted":     {"open:a#A open:b#B open:c#C | open:n#A open:a#B open:b#C open:c#D", "B<A? C<B? D<C?"},
		"IDs by position, one deleted":      {"open:a#A open:b#B open:c#C | open:b#A open:c#B", "A<B? B<C?"},
		"reworded without its ID, restored": {"open:Like_it?#A open:b#B | open:Dislike_it?#C open:b#B | open:Dislike_it?#A open:b#B", ""},
		"an ID copied to another question":  {"open:a#A open:b#B | open:a#A open:b#A", "A<B?"},
		"moved to the last of three twins":  {"open:T#A open:T#B open:x#C | open:T#A open:T#C", "C<B?"},
		"copied, then saved without it":     {"open:a#A open:b#B | open:a#A open:b#A | open:a#A open:b#N", "N<B"},
		"replaced, then exchanged":          {"open:a#A open:b#B | open:a#C open:b#D | open:a#B open:b#A", "B<A? A<B?"},
		"moved between similar texts":       {"open:how_is_the_price?#A open:how_is_the_support?#B | open:how_is_the_price?#B open:how_is_the_support?#C", "B<A? C<B?"},

		"IDs exchanged":                {"open:a#A open:b#B | open:a#B open:b#A", "B<A? A<B?"},
		"IDs of twins exchanged":       {"open:T/a#A open:T/b#B | open:T/b#A open:T/a#B", "A<B? B<A?"},
		"IDs exchanged, other content": {"open:a/x#A open:b/y#B | open:a/v#B open:b/w#A", "B<A? A<B?"},
		"IDs exchanged, and back":      {"open:a#A open:b#B | open:a#B open:b#A | open:a#A open:b#B", ""},
		"IDs exchanged, and written":   {"open:a#A open:b#B | open:a#B open:b#A | = open:a#B open:b#A", ""},
		"one of equal twins deleted":   {"open:T#A open:T#B | open:T#B", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, live := remembered(c.past)
			assert.Equal(t, c.want, detachedIDs(h, live), c.past)
		})
	}
}

func TestDetachedShowsBothTexts(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:Like_it?#A open:b#B | open:Dislike_it?#C open:b#D")
	found := h.Detached(live)
	assert.Equal(t, DetachedList{
		{Position: 0, Text: "Dislike it?", ID: "C", OldID: "A", OldText: "Like it?", IsPossible: true},
		{Position: 1, Text: "b", ID: "D", OldID: "B", OldText: "b"},
	}, found)
	assert.Equal(t, found[1:], found.Certain())
	assert.Equal(t, found[:1], found.Possible())
	assert.Empty(t, h.Detached(list("open:Like_it?#A open:b#B")), "no answers are detached if each question has the ID of its answers")
}

func TestDetachedLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 61)
	for _, c := range []struct {
		text, id   string
		counts     Counts
		isPossible bool
		want       string
	}{
		{"b", "C", Counts{}, false, `"b": detached answers of "a" (an unknown number of answers under the old ID A, an unknown number of answers under the new ID C)`},
		{"b", "C", Counts{Before: new(int64(2)), Since: new(int64(1))}, false, `"b": detached answers of "a" (at most 2 answers under the old ID A, 1 answer under the new ID C)`},
		{"b", "C", Counts{Before: new(int64(1)), Since: new(int64(0))}, false, `"b": detached answers of "a" (at most 1 answer under the old ID A, no answers under the new ID C)`},
		{"b", "C", Counts{Before: new(int64(0)), Since: new(int64(3))}, false, `"b": the ID was replaced, no answers are affected (no answers under the old ID A, 3 answers under the new ID C)`},
		{"b", "C", Counts{Before: new(int64(7)), Since: new(int64(0))}, true, `"b": possibly detached answers of "a" (at most 7 answers under the old ID A, no answers under the new ID C)`},
		{"b", "C", Counts{Before: new(int64(0)), Since: new(int64(0))}, true, `"b": possibly detached answers of "a" (no answers under the old ID A, no answers under the new ID C)`},
		{"b", "", Counts{Before: new(int64(4))}, false, `"b": detached answers of "a" (at most 4 answers under the old ID A, it has no ID now)`},
		{long, "C", Counts{Before: new(int64(4)), Since: new(int64(0))}, false, `"` + long[:120] + `...": detached answers of "a" (at most 4 answers under the old ID A, no answers under the new ID C)`},
	} {
		d := Detached{Position: 2, Text: c.text, ID: c.id, OldID: "A", OldText: "a", Counts: c.counts, IsPossible: c.isPossible}
		assert.Equal(t, "questions[2] "+c.want, d.String())
	}

	assert.Equal(t, `"`+long[:120]+`"`, Excerpt(long[:120]), "a text of 60 letters must not be shortened")
	both := DetachedList{{Position: 1, OldID: "A", Text: "a"}, {Position: 2, OldID: "B", Text: "b"}}
	assert.Equal(t, "  "+both[0].String()+"\n  "+both[1].String(), both.Lines())
	assert.Empty(t, DetachedList{}.Lines())
}

func TestNoAnswersUnderTheOldIDAreNoDamage(t *testing.T) {
	t.Parallel()
	found := DetachedList{{ID: "unknown"}, {ID: "none", Counts: Counts{Before: new(int64(0))}}, {ID: "some", Counts: Counts{Before: new(int64(1))}}}
	ids := []string{}
	for _, d := range found.WithAnswers() {
		ids = append(ids, d.ID)
	}
	assert.Equal(t, []string{"unknown", "some"}, ids)
}

func TestRepairCommandNamesWhatSomeoneHasToDecide(t *testing.T) {
	t.Parallel()
	const newID, oldID = "01234567-89ab-cdef-0123-456789abcdef", "fedcba98-7654-3210-fedc-ba9876543210"
	for want, found := range map[string]DetachedList{
		"":                                   {{ID: newID, OldID: oldID}},
		" --question " + newID + "=" + oldID: {{ID: "C", OldID: "A"}, {ID: newID, OldID: oldID, IsPossible: true}},
		" --question C=A":                    {{ID: "C", OldID: "A", Counts: Counts{Stays: true}}},
		" --question C=A --question D=B":     {{ID: "C", OldID: "A", IsPossible: true}, {ID: "C", OldID: "B", IsPossible: true}, {ID: "D", OldID: "B", IsPossible: true}},
		" --question 'questions[3]=A'":       {{Position: 3, OldID: "A", IsPossible: true}},
	} {
		assert.Equal(t, "posthog-sync repair NPS"+want+" --yes", Repair{Survey: "NPS"}.Command(found))
	}

	certain := DetachedList{{ID: "C", OldID: "A"}, {ID: "D", OldID: "B"}}
	unlogged := Repair{Survey: "Our NPS", ID: "S", Flags: []string{"--env", "our prod", "--state", "."}, IsUnlogged: true}
	assert.Equal(t, "posthog-sync repair 'Our NPS' --env 'our prod' --state . --question C=A --question D=B --yes", unlogged.Command(certain), "the command must state each question, because repair with --state asks for decisions")
	for _, name := range []string{"", "-v"} {
		assert.Equal(t, "posthog-sync repair S --yes", Repair{Survey: name, ID: "S"}.Command(certain), "the command must not contain a name that repair would misread")
	}
}

func TestCountedKeepsWhatPostHogOnceSaid(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:a#A | open:a#C")
	counted := h.WithCounts("C", Counts{Before: new(int64(5)), Since: new(int64(0))})
	assert.Equal(t, Counts{Before: new(int64(5)), Since: new(int64(0))}, counted.Detached(live)[0].Counts)
	assert.Equal(t, Counts{}, h.Detached(live)[0].Counts, "WithCounts must not modify its receiver")
	assert.Equal(t, "A", counted.WantedID("C"))

	assert.Equal(t, counted, counted.WithCounts("C", Counts{}), "an unknown count must not replace a known one")
	assert.Equal(t, Counts{Before: new(int64(5))}, h.WithCounts("C", Counts{Before: new(int64(5))}).Detached(live)[0].Counts)

	both := counted.WithCounts("C", Counts{Before: new(int64(5)), Since: new(int64(2)), Stays: true})
	assert.Equal(t, []string{"C", "A"}, []string{both.WantedID("C"), both.Root("C")}, "answers under both IDs")
	assert.Equal(t, "C:identical", summaryOf(both.Match(live, list("open:a")), live))
}

func TestReplacedIDThatMayHaveAnswersIsRestored(t *testing.T) {
	t.Parallel()
	h, _ := remembered("open:a#A open:b#B | open:a#C open:b#D")
	h = h.WithCounts("C", Counts{Before: new(int64(0)), Since: new(int64(0))}).WithCounts("D", Counts{Before: new(int64(1)), Since: new(int64(0))})
	live := list("open:a#E open:b#F")
	assert.Equal(t, "E<C F<B", detachedIDs(h.AfterRead(nil, live, false), live))
	live = list("open:a#C open:b#D")
	assert.Equal(t, "C<A D<B", detachedIDs(h.AfterRead(nil, live, false), live), "no save replaced these IDs since, so the old IDs must stay")
}

func TestReturnedIDIsTheOneWithTheAnswers(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:a#A open:b#B | open:a#C open:b#D")
	returned := h.AfterReturn("C")
	assert.Equal(t, "D<B", detachedIDs(returned, live))
	assert.Equal(t, "C", returned.WantedID("A"))
	assert.Equal(t, "C<A D<B", detachedIDs(h, live), "AfterReturn must not modify its receiver")

	twice, live := remembered("open:a#A | open:a#C | open:a#E")
	returned = twice.AfterReturn("C")
	assert.Equal(t, []string{"C", "C", "C"}, []string{returned.Root("A"), returned.Root("C"), returned.Root("E")})
	assert.Equal(t, "E<C", detachedIDs(returned, live))
}

// The configuration sets the earlier ID of a question that a save reworded. The history alone cannot determine whether
// the question asks the same thing.
func TestFindRestored(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:what_else?#A open:b#B | open:what_else#C open:b#B")
	want := DetachedList{{Position: 0, Text: "what else", ID: "C", OldID: "A", OldText: "what else?"}}
	assert.Equal(t, want, h.FindRestored(live, list("open:what_else?#A open:b#B")))
	assert.Empty(t, h.FindRestored(live, list("open:what_else#C open:b#B")))
	assert.Empty(t, h.FindRestored(live, list("open:what_else open:b")))
}

// Among questions with the same text, a question with other content is not the one whose earlier ID the configuration
// sets.
func TestFindRestoredAmongEqualTexts(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:a/x#A open:a/x#B | open:a/y#C open:a/x#B")
	assert.Empty(t, h.FindRestored(live, list("open:a/x#A open:a/x#B")))
	assert.Len(t, h.FindRestored(live, list("open:a/y#A open:a/x#B")), 1)
	assert.Len(t, h.FindRestored(live, list("open:a/x#A open:b#B")), 1)
}

// An equal question may continue another one until the log shows that a third one does. If that one's answers are all
// under its new ID, nothing is left to report.
func TestPossibleReplacementEndsWithItsRoot(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:a#A | open:a#Z open:a#C")
	h = h.WithReplaced(Detached{Position: 1, ID: "C", OldID: "A"}, []string{"A", "C"}).AfterReturn("C")
	assert.Empty(t, h.Detached(live))
	for i, pair := range h.Match(live, list("open:a open:a")) {
		assert.Equal(t, live[i].ID, pair.ID)
	}

	h, live = remembered("open:a/x#A open:a/y#B | open:a/z#C")
	h = h.WithReplaced(Detached{ID: "D", OldID: "A"}, []string{"A", "D"}).AfterReturn("D")
	assert.Equal(t, []string{"B"}, h.Detached(live).OldIDs())
}

// A history of nothing finds nothing.
func TestDetachedWithoutVersions(t *testing.T) {
	t.Parallel()
	assert.Empty(t, History{}.Detached(list("open:a open:b#B")))
}

// If one version contains both IDs of a question, they belong to two questions.
func TestTwoIDsInOneVersionAreTwoQuestions(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:a#A open:a#C | open:a#C")
	h = h.WithReplaced(Detached{ID: "C", OldID: "A"}, []string{"A", "C"})
	pairs := h.Match(live, list("open:a open:a"))
	assert.Equal(t, []int{0, -1}, []int{pairs[0].Index, pairs[1].Index})
	assert.NotEqual(t, pairs[0].ID, pairs[1].ID)
}

// A read compares two versions. The activity log contains the saves between them.
func TestWithLogged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		past     string
		relation Relation
		want     string
	}{
		"no contradiction":                    {"open:T/a#A | open:T/b#C", "", "C<A"},
		"two questions":                       {"open:T/a#A | open:T/b#C", Separate, ""},
		"deleted before":                      {"open:T/a#A | open:T/b#C", Later, "C<A?"},
		"possible, two questions":             {"open:Like_it?#A | open:Dislike_it?#C", Separate, ""},
		"possible, deleted before":            {"open:Like_it?#A | open:Dislike_it?#C", Later, "C<A?"},
		"one of two candidates":               {"open:T/a#A open:T/b#B | open:T/c#C", Separate, "C<B?"},
		"one of two candidates, deleted":      {"open:T/a#A open:T/b#B | open:T/c#C", Later, "C<A? C<B?"},
		"two questions, one of them reworded": {"open:Like_it?#A | open:Dislike_it?#C | open:Dislike_it?#E", Separate, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, live := remembered(c.past)
			before := detachedIDs(h, live)

			logged := h.WithLogged(h.Detached(live)[0], c.relation)
			assert.Equal(t, c.want, detachedIDs(logged, live))
			assert.Equal(t, c.want, detachedIDs(logged.AfterRead(nil, live, false), live), "the next read must not report the decided question again")
			decoded, err := Decode(logged.Encode())
			assert.NoError(t, err)
			assert.Equal(t, c.want, detachedIDs(decoded, live), "private state must keep the decision")
			assert.Equal(t, before, detachedIDs(h, live), "WithLogged must not modify its receiver")
		})
	}
}

func TestSeparateQuestionKeepsItsID(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:T/a#A | open:T/b#C")
	logged := h.WithLogged(h.Detached(live)[0], Separate)
	assert.Equal(t, []string{"C", "C"}, []string{logged.Root("C"), logged.WantedID("C")})
	assert.True(t, logged.KeepsIDs([]string{"C"}), "a configuration that equals the state must keep the ID")
	assert.False(t, h.KeepsIDs([]string{"C"}))
}

// Another source, such as the lock file, does not know the saves between two reads either.
func TestCheckLogged(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:T/a#A | open:T/b#C")
	found := h.Detached(live)
	assert.Equal(t, found, h.CheckLogged(found))
	assert.Empty(t, h.WithLogged(found[0], Separate).CheckLogged(found))
	assert.Len(t, h.WithLogged(found[0], Later).CheckLogged(found).Possible(), 1)

	both := h.WithReplaced(Detached{ID: "C", OldID: "A"}, nil)
	r := both.replaced["C"]
	r.IsPossible, r.Others = true, []string{"B"}
	both.replaced["C"] = r
	for _, old := range []string{"A", "B"} {
		both = both.WithLogged(Detached{ID: "C", OldID: old}, Separate)
	}
	assert.Empty(t, both.CheckLogged(DetachedList{{ID: "C", OldID: "A"}, {ID: "C", OldID: "B"}}), "the log contradicts both old IDs, so none of them may be reported")

	other := DetachedList{{ID: "C", OldID: "B"}}
	assert.Equal(t, other, h.WithLogged(found[0], Separate).CheckLogged(other), "the log contradicts only one old ID, so the other one must stay")
}

// A save that leaves out the IDs replaces one question. PostHog assigns no IDs.
func TestQuestionLeftWithoutIDInPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ past, want string }{
		"in place":                  {"open:a#A open:b#B | open:a open:z", "<B?"},
		"read again":                {"open:a#A open:b#B | open:a open:z | open:a open:z", "<B?"},
		"moved":                     {"open:a#A open:b#B | open:z open:a", ""},
		"two replaced":              {"open:a#A open:b#B open:c#C | open:a open:y open:z", ""},
		"another type":              {"open:a#A open:b#B | open:a link:z", ""},
		"retyped before":            {"open:a#A open:b#B | open:a#A link:b#B | open:a link:z", "<B?"},
		"other IDs kept":            {"open:a#A open:b#B | open:a#A open:z", ""},
		"not replaced":              {"open:a#A open:b#B | open:a open:b", ""},
		"carried, then replaced":    {"open:a#A open:b#B | open:a open:b | open:a open:z", ""},
		"written":                   {"open:a#A open:b#B | open:a open:z | = open:a#A open:z", ""},
		"never had an ID":           {"open:a open:b | open:a open:z", ""},
		"one of several":            {"open:what_else#A open:what_else#B open:c#C | open:what_else? open:c", "<A? <B?"},
		"the old ID belongs to one": {"open:a#A open:b#B | open:a#B open:z", "B<A?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, live := remembered(c.past)
			assert.Equal(t, c.want, detachedIDs(h, live), c.past)
		})
	}
}

// Two sources may give one old ID to two questions. Only one of them can have it.
func TestAnOldIDIsCertainForOneQuestion(t *testing.T) {
	t.Parallel()
	at := func(position int, old string) Detached { return Detached{Position: position, ID: "new", OldID: old} }
	merged := MergeDetached(DetachedList{at(1, "A")}, DetachedList{at(0, "A"), at(1, "B"), at(2, "C")})
	assert.Equal(t, []string{"A", "C"}, merged.Certain().OldIDs())
	assert.Equal(t, []string{"A"}, merged.Possible().OldIDs())
}

// A repair can't restore an ID that a question has which did not have another one before.
func TestTakenIDsHaveNoCommand(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:a#A open:b#B | open:n#A open:a#B open:b#C")
	found := h.Detached(live)
	assert.Len(t, found.Taken(), 2)
	assert.Empty(t, found.Free())
	assert.Empty(t, found.decisions(true))

	h, live = remembered("open:a#A open:b#B | open:a#B open:b#C")
	assert.Equal(t, []string{"--question", "B=A", "--question", "C=B"}, h.Detached(live).decisions(false))
}

// A read may hide a replaced ID if a new question and a missing one match nothing. A deleted question or a new one alone
// hides nothing, and neither do questions that an earlier read found.
func TestMayHideReplaced(t *testing.T) {
	t.Parallel()
	const was = "open:Why_us?#A open:Else?#B"
	for live, want := range map[string]bool{
		"open:Why_us?#A open:How_come?#C":         true,
		"open:Why_us?#A link:Else?#C":             true,
		"open:How_come?#C":                        true,
		"open:Why_us?#A open:Else?#C":             false, // matched
		"open:Why_us?#A":                          false,
		"open:Why_us?#A open:Else?#B open:New?#C": false,
		"open:Why_us?#A open:How_come?#B":         false,
		"open:Why_us?#A open:How_come?":           false,
	} {
		before, _ := remembered(was)
		after, now := remembered(was + " | " + live)
		assert.Equal(t, want, after.MayHideReplaced(before, now), live)
		again, now := remembered(was + " | " + live + " | " + live)
		assert.False(t, again.MayHideReplaced(after, now), live)
	}
}
