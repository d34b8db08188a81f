package identity

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// According to their texts, a save without IDs replaced two questions' IDs. Another source has more information.
func TestWithReplaced(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:Why?#a open:Else?#b | open:Else?#x open:Why?#y")
	wanted := func(h History) []string { return []string{h.WantedID("x"), h.WantedID("y")} }
	assert.Equal(t, []string{"b", "a"}, wanted(h))

	exchanged := h.WithReplaced(Detached{ID: "x", OldID: "a"}, []string{"a", "x"})
	assert.Equal(t, []string{"a", "y"}, wanted(exchanged), "two questions must not want the same ID")
	assert.Len(t, exchanged.Detached(live).Possible(), 1)
	exchanged = exchanged.WithReplaced(Detached{ID: "y", OldID: "b"}, []string{"b", "y"})
	assert.Equal(t, []string{"a", "b"}, wanted(exchanged), "the IDs must follow the texts, which were exchanged before the save")

	between := h.WithReplaced(Detached{ID: "x", OldID: "m"}, []string{"b", "m", "x"})
	assert.Equal(t, []string{"m", "a"}, wanted(between), "the ID must be followed through an earlier save that replaced it")
	assert.Equal(t, "m", between.Root("b"))
	assert.Equal(t, []string{"b", "a"}, wanted(h), "WithReplaced must not modify its receiver")
}

// One save replaces A with C, and another replaces C with E. The log shows that the answers are under C.
func TestWithReplacedStartsANewRoot(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:a#A | open:a#C | open:a#E")
	assert.Equal(t, "A", h.WantedID("E"))

	known := h.WithReplaced(Detached{ID: "E", OldID: "C"}, []string{"C", "E"})
	assert.Equal(t, "C", known.WantedID("E"))
	assert.Equal(t, "E<C", detachedIDs(known, live))
}
