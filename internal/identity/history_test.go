package identity

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// versionsOf returns the versions of a history, newest first. "w" marks the written one, "a" the accepted one.
func versionsOf(h History) []string {
	versions := []string{}
	for v, version := range h.Versions() {
		word := spelled(version) + " "
		if v == h.written {
			word += "w"
		}
		if v == h.accepted {
			word += "a"
		}
		versions = append(versions, word)
	}
	return versions
}

func TestHistoryRemembersVersions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		past string
		want []string
	}{
		"a write":                      {"open:a#A", []string{"aA wa"}},
		"an edit":                      {"open:a#A | open:x#A", []string{"xA ", "aA wa"}},
		"an edit, accepted":            {"open:a#A | open:x#A | open:x#A", []string{"xA a", "aA w"}},
		"an edit, written":             {"open:a#A | open:x#A | = open:x#A", []string{"xA wa", "aA "}},
		"markup that PostHog rewrites": {"open:a&b#A | open:a&amp;b#A", []string{"a&bA wa"}},
		"an edit of content":           {"open:a/x#A | open:a/y#A", []string{"aA ", "aA wa"}},
		"new IDs":                      {"open:a#A | open:a#C", []string{"aC ", "aA wa"}},
		"new IDs, accepted":            {"open:a#A | open:a#C | open:a#C", []string{"aC a", "aA w"}},
		"an ID left out, not accepted": {"open:a#A | open:a | open:a", []string{"a ", "aA wa"}},
		"all questions deleted":        {"open:a#A | ", []string{" ", "aA wa"}},
		"no questions":                 {"", []string{" wa"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, _ := remembered(c.past)
			assert.Equal(t, c.want, versionsOf(h), c.past)
		})
	}
}

// There is no earlier version at the first read after an import, or at the first read of another provider's state.
func TestFirstReadStartsFromTheState(t *testing.T) {
	t.Parallel()
	live := list("open:a#C")
	for name, c := range map[string]struct {
		state    string
		isImport bool
		want     []string
	}{
		"the state has IDs":         {"open:a#A", false, []string{"aC ", "aA wa"}},
		"the state lacks IDs":       {"open:a", false, []string{"aC wa"}},
		"the state lacks one ID":    {"open:a#A open:b", false, []string{"aC ", "aA b wa"}},
		"the state has no question": {"", false, []string{"aC ", " wa"}},
		"an import":                 {"open:a#A", true, []string{"aC wa"}},
	} {
		assert.Equal(t, c.want, versionsOf(History{}.AfterRead(list(c.state), live, c.isImport)), name)
	}
	assert.False(t, LackIDs(nil))
}

func TestHistoryComesToRest(t *testing.T) {
	t.Parallel()
	for past, want := range map[string]bool{
		"":                                 false,
		"open:a#A":                         false,
		"open:a#A | open:x#A":              true, // the next read accepts it
		"open:a#A | open:x#A | open:x#A":   false,
		"open:a#A | open:a#C":              true, // the next read counts answers
		"open:a#A | open:a#C | = open:a#C": false,
		"open:like-it?#A | open:like-it!#C | open:like-it!#C": false,
		"open:a#A open:b#B | open:a open:b#B":                 false, // an apply restores the ID
	} {
		h, live := remembered(past)
		assert.Equal(t, want, h.IsOpen(), past)
		assert.Equal(t, want, IsOpen(h.Encode()), past)
		if !want {
			assert.Equal(t, versionsOf(h), versionsOf(h.AfterRead(nil, live, false)), "%s: a read that finds nothing new must not modify the history", past)
		}
	}
	assert.False(t, IsOpen([]byte("{")))
}

func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	h := History{}.AfterWrite(list("open:written#A"))
	for i := range 100 {
		h = h.AfterRead(nil, list(fmt.Sprintf("open:%d#A", i)), false)
	}
	assert.Equal(t, []string{"99A ", "98A a", "97A ", "96A ", "95A ", "94A ", "93A ", "92A ", "writtenA w"}, versionsOf(h))

	// The history still has the ID with a question's answers after it dropped the versions that contained the ID.
	h, _ = remembered("open:a#A | open:a#A open:n#N | open:a#A open:n#M")
	for i := range 100 {
		h = h.AfterRead(nil, list(fmt.Sprintf("open:%d#A open:n#M", i)), false)
	}
	assert.Equal(t, []bool{false, true}, []bool{h.Has("N"), h.Root("M") == "N"})
	assert.Equal(t, "M<N", detachedIDs(h, h.Newest()))
	restored := list("open:a#A open:n#N")
	assert.Empty(t, detachedIDs(h.AfterRead(nil, restored, false), restored), "answers must not be detached after someone restored the ID")

	// A replaced ID is dropped together with its versions.
	for i := range 100 {
		h = h.AfterRead(nil, list(fmt.Sprintf("open:it#%d open:%d#A", i, i)), false)
		assert.LessOrEqual(t, len(h.replaced), keptVersions+2)
	}
}

func TestHistoryNewestAndWritten(t *testing.T) {
	t.Parallel()
	assert.Nil(t, History{}.Newest())
	assert.Nil(t, History{}.Written())
	h, live := remembered("open:a#A | open:a#A open:b#B")
	assert.Equal(t, live, h.Newest())
	assert.Equal(t, list("open:a#A"), h.Written())
	assert.Equal(t, []bool{true, true, false, false}, []bool{h.Has("A"), h.Has("B"), h.Has("C"), h.Has("")})
	live[0].Text = "changed"
	assert.Equal(t, "a", h.Newest()[0].Text, "the history must not share memory with the caller's list")
}

func TestIsReordered(t *testing.T) {
	t.Parallel()
	for past, want := range map[string]bool{
		"open:a#A open:b#B | open:a#A open:b#B":                   false,
		"open:a#A open:b#B | open:b#B open:a#A":                   true,
		"open:a#A open:b#B open:c#C | open:n#N open:a#A open:c#C": false,
		"open:a#A open:b#B open:c#C | open:c#C open:n#N open:a#A": true,
		"open:a#A open:b#B | open:b#D open:a#C":                   true,
	} {
		h, live := remembered(past)
		assert.Equal(t, want, h.IsReordered(live), past)
	}
	assert.False(t, History{}.IsReordered(list("open:a#A")))
}

// A plan without changes restores no ID. A configuration that equals the state can therefore be skipped.
func TestKeepsIDs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		past string
		ids  []string
		want bool
	}{
		{"open:a#A open:b#B", []string{"A", "B"}, true},
		{"open:a#A open:b#B", []string{"A", ""}, true},
		{"open:a#A open:b#B", []string{"A", "C"}, false},
		{"open:a#A open:b#B", []string{"A"}, false},
		{"open:a#A | open:x#A", []string{"A"}, true},
		{"open:a#A | open:a#C", []string{"C"}, false},
		{"open:a#A | open:a#C | = open:a#C", []string{"C"}, true},
		{"open:Like_it?#A open:b#B | open:Dislike_it?#C open:b#B", []string{"C", "B"}, false},
		{"open:a#A open:b#B | open:x#A open:y#B", []string{"A", "B"}, true},
		{"open:a#A open:b#B | open:x#A open:a#B", []string{"A", "B"}, false},
		{"open:a#A open:b#B | open:a open:b#B", []string{"", "B"}, false},
		{"open:T/s#A | open:T/v open:T/w", []string{"", ""}, false},
	} {
		h, _ := remembered(c.past)
		assert.Equal(t, c.want, h.KeepsIDs(c.ids), "%s, %v in the state", c.past, c.ids)
	}
	assert.True(t, History{}.KeepsIDs([]string{"A"}), "an empty history must keep all IDs")
}

// A read doesn't accept a version in which questions replaced others, or have no ID.
func TestReadDoesNotAcceptWhatAnApplyWouldChange(t *testing.T) {
	t.Parallel()
	for past, want := range map[string]bool{
		"open:a#A open:b#B | open:x#A open:b#B":                     false,
		"open:a#A open:b#B | open:b#B open:a#A":                     false,
		"open:a#A open:b#B | open:a#C open:b#B":                     false,
		"open:a#A open:b#B | open:a open:b#B":                       true,
		"open:a#A open:b#B | open:b#A open:a#B":                     false,
		"open:a#A open:b#B | open:x#A open:b#B open:a#C":            false,
		"open:a#A open:a#B | open:a#B open:a#A":                     true,
		"open:T/a#A open:T/b#B | open:T/b#A open:T/a#B":             false,
		"open:T/a#A open:T/b#B | open:T/b#C open:T/a#D":             false,
		"open:a#A open:b#B | open:a open:b#B | = open:a#A":          false,
		"open:a#A open:b#B | open:a open:b#B | open:a open:b#B":     true,
		"open:a#A open:b#B | open:a#B open:b#A":                     true,
		"open:a#A open:b#B | open:a#B open:b#A | open:a#A open:b#B": false,
	} {
		h, _ := remembered(past)
		assert.Equal(t, want, h.restores, past)
	}
}

func TestReplayTakesTheFirstVersionForTheWrittenOne(t *testing.T) {
	t.Parallel()
	versions := [][]Question{list("open:a#A"), list("open:a#A"), list("open:a#C"), list("open:a#C")}
	h := Replay(versions, list("open:a#C open:b#B"))
	assert.Equal(t, []string{"aC bB ", "aC a", "aA w"}, versionsOf(h))
	assert.Equal(t, "C<A", detachedIDs(h, list("open:a#C open:b#B")))
	assert.Equal(t, History{}, Replay(nil, list("open:a#A")))

	edited := Replay([][]Question{list("open:a#A"), list("open:x#A"), list("open:y#A")}, list("open:y#A"))
	assert.Equal(t, []string{"yA a", "xA ", "aA w"}, versionsOf(edited))
}

// The configuration of an imported survey is written from its live questions. A question that was deleted before is none
// that the configuration once had.
func TestAfterImportTheLiveVersionIsTheMergeBase(t *testing.T) {
	t.Parallel()
	live := list("open:a#C open:b#D")
	h := Replay([][]Question{list("open:a#A open:gone#G"), list("open:a#A"), list("open:a#A open:b#B")}, live).AfterImport().AfterRead(live, live, true)
	assert.Equal(t, live, h.Written())
	assert.Equal(t, list("open:a#A open:b#B"), h.SinceWrite().First(), "the merge base must contain the IDs with the answers")
	assert.Equal(t, "C<A D<B", detachedIDs(h, live))

	ids, _ := h.SinceWrite().Match(list("open:a open:gone"))
	assert.Equal(t, []string{"A", ""}, ids)
}

// IDs that a save moved from one question to another are reported after an import, too.
func TestAfterImportMovedIDsAreFound(t *testing.T) {
	t.Parallel()
	live := list("open:a#B open:b#A")
	h := Replay([][]Question{list("open:a#A open:b#B")}, live)
	want := h.Detached(live)
	assert.Len(t, want, 2)
	assert.Equal(t, want, h.AfterImport().AfterRead(live, live, true).Detached(live))
}

// A question that a save left without an ID keeps its earlier ID. A new question has none.
func TestWithCarriedIDs(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:a#A open:b#B | open:b#B open:a open:new")
	assert.Equal(t, list("open:b#B open:a#A open:new"), h.WithCarriedIDs(live))
	assert.Equal(t, list("open:b#B open:a open:new"), live, "WithCarriedIDs must not modify its input")
}
