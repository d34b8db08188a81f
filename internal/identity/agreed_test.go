package identity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSinceWriteNamesQuestionsByTheIDsWithTheirAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ past, config, ids, base string }{
		"unchanged":                 {"open:a#A open:b#B", "open:a open:b", "A B", "aA bB"},
		"edited in the config":      {"open:a#A open:b#B", "open:b open:why", "B ", "aA bB"},
		"taken over":                {"open:a#A open:b#B | open:x#A open:b#B", "open:x open:b", "A B", "xA bB"},
		"reworded in the config":    {"open:what-else#A open:b#B | open:x#A open:b#B", "open:b open:what-else?", "B A", "what-elseA bB"},
		"IDs replaced":              {"open:a#A open:b#B | open:a#C open:b#D", "open:a open:b", "A B", "aA bB"},
		"new IDs written":           {"open:a#A open:b#B | open:a#C open:b#D | = open:a#C open:b#B", "open:a open:b", "C B", "aC bB"},
		"before the last write":     {"open:a#A | = open:b#A", "open:a", "", "bA"},
		"added":                     {"open:a#A | open:a#A open:n#N", "open:a open:n", "A N", "aA nN"},
		"nothing remembered":        {"", "open:a", "", ""},
		"stated":                    {"open:a#A", "open:x#A open:y#X", "A X", "aA"},
		"stated, edited in PostHog": {"open:b#B | open:x#A", "open:p#A", "A", "xA"},
		"stated, added since":       {"open:a#A open:b#B | open:x#A open:y#B open:n#N", "open:p#A open:q#B open:r#N", "A B N", "xA yB nN"},
		"two candidates":            {"open:T/a#A open:T/b#B", "open:T/c", "", "TA TB"},
		"deleted, still in config":  {"open:a#A open:b#B | open:a#A", "open:a open:b", "A B", "aA bB"},
	} {
		h, _ := remembered(c.past)
		ids, base := h.SinceWrite().Match(list(c.config))
		assert.Equal(t, c.ids, strings.Join(ids, " "), "%s: question IDs", name)
		assert.Equal(t, c.base, spelled(base), "%s: merge base", name)
	}
}

func TestAgreedRemembersTheIDsOfTheLastWrite(t *testing.T) {
	t.Parallel()
	h, _ := remembered("open:a#A open:b#B | open:a#C open:b#B | = open:a#A open:b#B | open:a#E open:b#B open:n#N")
	a := h.SinceWrite()
	assert.Equal(t, []string{"A", "A", "N"}, []string{a.Root("E"), a.Root("A"), a.Root("N")})
	assert.Equal(t, []string{"A", "B", "N"}, []string{a.WrittenID("A"), a.WrittenID("B"), a.WrittenID("N")})
	assert.Equal(t, []bool{true, true, false}, []bool{a.Has("A"), a.Has("N"), a.Has("E")})
	assert.Equal(t, list("open:a#A open:b#B"), a.First())

	// This writes an ID that is not the one with the answers.
	kept := History{versions: [][]Question{list("open:a#C")}, replaced: map[string]replacement{"C": {Old: "A"}}}.SinceWrite()
	assert.Equal(t, "C", kept.WrittenID("A"))
	assert.Equal(t, list("open:a#A"), kept.First())

	var none History
	assert.Nil(t, none.SinceWrite().First())
	assert.Equal(t, "A", none.SinceWrite().WrittenID("A"))
}

func TestSinceEndsWithTheVersionThatBothHad(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ past, agreed, live, want string }{
		"the written one":         {"open:a#A | open:x#A | open:y#A", "open:a#A", "open:y#A", "aA"},
		"one since the write":     {"open:a#A | open:a#A open:x#X | open:a#A open:x#X open:y#Y", "open:a#A open:x#X", "open:y#A", "aA xX yY, aA xX"},
		"the newest one":          {"open:a#A | open:a#A open:x#X", "open:a#A open:z#X", "open:a#A", "aA zX"},
		"none that is remembered": {"open:a#A | open:a#A open:x#X", "open:a#A open:n#N", "open:a#A", "aA xX, aA nN"},
		"nothing remembered":      {"", "open:a#A", "open:a#A open:b#B", "aA bB, aA"},
	} {
		var a Agreed
		if c.past != "" {
			h, _ := remembered(c.past)
			a = h.SinceWrite()
		}
		since := a.Since(list(c.agreed), list(c.live))
		versions := []string{}
		for _, version := range since.history.versions {
			versions = append(versions, spelled(version))
		}
		assert.Equal(t, c.want, strings.Join(versions, ", "), name)
		assert.Equal(t, list(c.agreed), since.First(), name)
		assert.Equal(t, len(versions)-1, since.history.written, name)
		assert.Equal(t, a.WrittenID("A"), since.WrittenID("A"), name)
	}
}
