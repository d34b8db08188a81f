package identity

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// matchCase contains the questions before and after, and the result as summaryOf writes it.
type matchCase struct{ before, after, want string }

func checkMatches(t *testing.T, cases map[string]matchCase) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := list(c.before), list(c.after)
			pairs := Match(before, after)
			assert.Equal(t, c.want, summaryOf(pairs, before), "%s becomes %s", c.before, c.after)
			for i, pair := range pairs {
				if pair.Index < 0 {
					assert.Equal(t, Question{}, pair.Was, "questions[%d] is new, so it must not continue a question", i)
				} else {
					assert.Equal(t, before[pair.Index], pair.Was, "questions[%d] continues another question", i)
				}
			}
		})
	}
}

func TestMatchByIDAndText(t *testing.T) {
	t.Parallel()
	checkMatches(t, map[string]matchCase{
		"nothing before":                 {"", "open:a", "-"},
		"moved":                          {"open:a#A open:b#B link:c#C", "link:c open:a open:b", "C:identical A:identical B:identical"},
		"retyped":                        {"open:a#A", "link:a", "-"},
		"retyped and reworded":           {"open:one#A link:why-not#B", "rating:new open:why-not?", "- -"},
		"retyped beside a reworded one":  {"open:why-so#A link:why-not#B", "rating:new open:why-so?", "- A:similar"},
		"retyped, moved, and similar":    {"link:why-not#A open:why-knots#B open:x#X", "open:x open:why-not", "X:identical -"},
		"ID wins over text":              {"open:a#A open:b#B", "open:b#A", "A:id"},
		"ID wins over position and type": {"open:a#A open:b#B", "link:b2#B open:a#A", "B:id A:id"},
		"ID of no question":              {"open:a#A", "open:a#X", "X-"},
		"ID stated twice":                {"open:a#A", "open:a#A open:a#A", "A:id A-"},
		"ID held twice":                  {"open:a#A open:b#A", "open:b open:a", "A@1:identical A:identical"},
		"IDs of some":                    {"open:a open:b#B", "open:c open:a open:b", "- @0:identical B:identical"},
		"ID that is unknown":             {"open:a#A open:b#B", "open:a#* open:b", "- B:identical"},
		"text that is unknown":           {"open:a#A open:b#B", "open:b open:*", "B:identical -"},
		"text that is unknown, in place": {"open:a#A open:b#B", "open:* open:b", "A:position? B:identical"},
		"type that is unknown":           {"open:a#A", "*:a", "-"},
		"NFC and NFD":                    {"open:Cafe\u0301#A open:b#B", "open:b open:Caf\u00e9", "B:identical A:identical"},
		"markup that PostHog rewrites":   {"open:a&amp;b#A open:b#B", "open:b open:a&b", "B:identical A:identical"},
		"without content in one list":    {"open:a/?#A open:b#B", "open:b open:a/x", "B:identical A:text"},
	})
}

func TestMatchKeepsTwinsByContent(t *testing.T) {
	t.Parallel()
	checkMatches(t, map[string]matchCase{
		"swapped and moved":                   {"open:T/a#A open:T/b#B open:r#R", "open:r open:T/b open:T/a", "R:identical B:identical A:identical"},
		"equal, last deleted":                 {"open:T#A open:T#B open:T#C", "open:T open:T", "A:identical B:identical"},
		"equal, the nearest one":              {"open:T#A open:x#X open:y#Y open:T#B", "open:x open:y open:T", "X:identical Y:identical B:identical"},
		"equal, first deleted around a third": {"open:T#A open:x#X open:T#B", "open:x open:T", "X:identical B:identical"},
		"equal, last deleted around a third":  {"open:T#A open:x#X open:T#B", "open:T open:x", "A:identical X:identical"},
		"equal, the further one, in order":    {"open:p#P open:q#Q open:T#A open:x#X open:T#B", "open:x open:T", "X:identical B:identical"},
		"equal, the nearer of two in order":   {"open:x#X open:T#A open:p#P open:T#B", "open:x open:T", "X:identical A:identical"},
		"equal, behind an inserted one":       {"open:x#X open:T#A open:T#B", "open:new open:x open:T", "- X:identical A:identical"},
		"equal, before an inserted one":       {"open:T#A open:T#B open:x#X", "open:T open:x open:new", "A:identical X:identical -"},
		"equal, behind a deleted one":         {"open:o#O open:x#X open:T#A open:T#B open:y#Y", "open:x open:T open:Tea open:y", "X:identical A:identical - Y:identical"},
		"equal, one edited around a third":    {"open:o#O open:T/e#A open:x#X open:T/e#B", "open:T/d open:x open:T/e", "A:text X:identical B:identical"},
		"equal, one added":                    {"open:T#A open:x#X open:T#B", "open:T open:x open:T open:T", "A:identical X:identical B:identical -"},

		"content decides":                     {"open:T/a+b+c+d#A open:T/w+x+y+z#B", "open:T/w+x+y+v open:T/a+b+c+e", "B:text? A:text?"},
		"half of the content does not decide": {"open:T/a+b+c#A open:T/x+y+z#B", "open:T/x+y+w open:T/a+b+d", "B:text? A:text?"},
		"half of the content, one for two":    {"open:T/a+b+c#A", "open:T/x open:T/a+b+d", "- A:text?"},
		"position decides":                    {"open:T/a#A open:T/b#B", "open:T/c open:T/d", "A:text? B:text?"},
		"position decides for unknown":        {"open:T/?#A open:T/?#B", "open:T/b open:T/a", "A:text? B:text?"},
		"position decides, other rewritten":   {"open:T/a#A open:T/b#B", "open:T/p open:new", "A:text? B:position?"},
		"two candidates after a move":         {"open:T/a#A open:T/b#B open:x#X", "open:x open:T/c open:T/d", "X:identical ?A|B ?A|B"},
		"two candidates of unknown content":   {"open:T/?#A open:T/?#B", "open:T/b", "?A|B"},
		"two candidates, one a bit closer":    {"open:T/a+b+c#A open:T/a+b+c+d#B open:x#X", "open:x open:T/a+b+x", "X:identical ?A|B"},
		"two candidates, first deleted":       {"open:x#X open:T/a#A open:T/b#B", "open:T/p open:T/q open:new", "?A|B ?A|B -"},
		"two candidates, first moved":         {"open:x#X open:T/a#A open:T/b#B open:y#Y", "open:new open:T/p open:T/q open:x", "- ?A|B ?A|B X:identical"},
		"one candidate for two":               {"open:T/a#A", "open:T/b open:T/c", "?A ?A"},

		"other content":                       {"open:T/a#A open:x#X", "open:x open:T/b", "X:identical A:text"},
		"same content and a similar text":     {"open:What_else?/a#A open:x#X", "open:x open:What_else?/b open:What_else_now?/a", "X:identical - A:similar?"},
		"same content, text swapped":          {"open:What_else?/a#A open:What_else_now?/b#B", "open:What_else?/b open:What_else_now?/a", "B:similar? A:similar?"},
		"same content and an unlike text":     {"open:What_else?/a#A open:x#X", "open:x open:unlike/a open:What_else?/b", "X:identical - A:text"},
		"no content and a similar text":       {"open:What_else?#A open:x#X", "open:x open:What_else_now? open:What_else?/b", "X:identical A:similar? -"},
		"unknown content and a similar text":  {"open:What_else?/?#A open:x#X", "open:x open:What_else_now?/? open:What_else?/b", "X:identical - A:text?"},
		"other content, and a similar text":   {"open:What_else?/a#A open:x#X", "open:x open:What_else?/b open:What_else_now?/c", "X:identical A:text? -"},
		"closer content, and a similar text":  {"open:What_else?/a+b+c+d#A open:x#X", "open:x open:What_else?/a+b+c+e open:What_else_now?/f", "X:identical A:text? -"},
		"replaced by a twin of another (F13)": {"open:Why?/a#A open:Else?/b#B", "open:Why?/a open:Why?/c", "A:identical B:position?"},
	})
}

// A change to one of two equal questions does not affect the other one's answers (F11).
func TestMatchLeavesTheOtherTwin(t *testing.T) {
	t.Parallel()
	const twins, support = "open:How_satisfied?/a#A open:How_satisfied?/b#B", "open:How_satisfied_with_support?/b"
	checkMatches(t, map[string]matchCase{
		"last deleted, ID in front":       {"open:Rest#N " + twins, "open:Rest#N open:How_satisfied?/a", "N:id A:identical"},
		"last reworded, neighbor, too":    {"open:About_yourself#R " + twins, "open:About_your_self open:How_satisfied?/a " + support, "R:similar A:identical B:similar"},
		"last deleted, new one in front":  {twins, "open:New open:How_satisfied?/a", "- A:identical"},
		"last reworded, ID in front":      {"open:Rest#N " + twins, "open:Rest#N open:How_satisfied?/a " + support, "N:id A:identical B:similar"},
		"last reworded":                   {twins, "open:How_satisfied?/a " + support, "A:identical B:similar"},
		"last deleted, neighbor reworded": {"open:About_yourself#R " + twins, "open:About_your_self open:How_satisfied?/a", "R:similar A:identical"},
		"last retyped, ID in front":       {"open:Rest#N " + twins, "open:Rest#N open:How_satisfied?/a rating:How_satisfied?/b", "N:id A:identical -"},

		"first deleted":                {twins, "open:How_satisfied?/b", "B:identical"},
		"last deleted":                 {twins, "open:How_satisfied?/a", "A:identical"},
		"last with an ID deleted":      {"open:T/a#A open:Rest#N open:T/b#B", "open:T/a open:Rest#N", "A:identical N:id"},
		"last deleted around a third":  {"open:T/a#A open:Rest#R open:T/b#B", "open:T/a open:Rest", "A:identical R:identical"},
		"first deleted around a third": {"open:T/a#A open:Rest#R open:T/b#B", "open:Rest open:T/b", "R:identical B:identical"},
		"middle of three deleted":      {"open:T/a#A open:T/b#B open:T/c#C", "open:T/a open:T/c", "A:identical C:identical"},
	})
}

const (
	editor, editorNext  = "open:What_should_we_change_in_the_editor_first?", "open:What_should_we_change_in_the_editor_next?"
	boards, theBoards   = "open:What_do_you_like_about_our_dashboards?", "open:What_do_you_like_about_the_dashboards?"
	products, theirs    = "open:Which_of_our_products_do_you_use?", "open:Which_of_the_products_do_you_use?"
	threeTexts          = editor + "#X " + boards + "#Y " + products + "#Z"
	likeSearch          = "open:What_do_you_like_about_search?"
	likeExport          = "open:What_do_you_like_about_export?"
	part12, part47      = "open:Are_you_satisfied_with_part_12_of_our_product?", "open:Are_you_satisfied_with_part_47_of_our_product?"
	likeBilling, likeUs = "open:What_do_you_like_about_billing?", "open:What_do_you_like_about_the_team?"
)

func TestMatchByASimilarText(t *testing.T) {
	t.Parallel()
	checkMatches(t, map[string]matchCase{
		// One commit moves a question and rewords another (F8).
		"last moved, one deleted, one reworded": {threeTexts, products + " " + editorNext, "Z:identical X:similar"},
		"last moved, two reworded":              {threeTexts, products + " " + editorNext + " " + theBoards, "Z:identical X:similar Y:similar"},
		"swapped, both reworded":                {editor + "#X " + boards + "#Y", theBoards + " " + editorNext, "Y:similar X:similar"},
		"swapped, one reworded":                 {threeTexts, boards + " " + editorNext + " " + products, "Y:identical X:similar Z:identical"},
		"one added, one deleted, one reworded":  {threeTexts, "open:New? " + editorNext + " " + products, "- X:similar Z:identical"},
		"first deleted, next reworded":          {threeTexts, theBoards + " " + products, "Y:similar Z:identical"},
		"first deleted, one added, two":         {threeTexts, theBoards + " " + theirs + " open:New?", "Y:similar Z:similar -"},
		"reversed, first reworded":              {threeTexts, products + " " + boards + " " + editorNext, "Z:identical Y:identical X:similar"},
		"rotated, all reworded":                 {threeTexts, theirs + " " + editorNext + " " + theBoards, "Z:similar X:similar Y:similar"},

		"half, same neighbors":          {"open:q#Q open:abc#A open:r#R", "open:q open:abd open:r", "Q:identical A:similar R:identical"},
		"half, another neighbor before": {"open:q#Q open:abc#A open:r#R", "open:abd open:r open:q", "A:similar? R:identical Q:identical"},
		"half, another neighbor after":  {"open:q#Q open:abc#A open:r#R", "open:q open:r open:abd", "Q:identical R:identical A:similar?"},
		"half, only the next one moved": {"open:q#Q open:abc#A open:r#R", "open:r open:q open:abd", "R:identical Q:identical A:similar?"},
		"half, next one deleted":        {"open:q#Q open:abc#A open:r#R", "open:q open:abd", "Q:identical A:similar"},
		"less than half":                {"open:q#Q open:abcd#A", "open:abxy open:q", "- Q:identical"},
		"three quarters, moved":         {"open:q#Q open:abcde#A", "open:abcdx open:q", "A:similar Q:identical"},
		"less, moved":                   {"open:q#Q open:abcd#A", "open:abcx open:q", "A:similar? Q:identical"},
		"content decides between equals": {
			"open:abcdefgh1/a#A open:abcdefgh2/b#B open:x#X", "open:x open:abcdefgh3/b", "X:identical B:similar?",
		},

		"family, the closest by a margin":      {likeSearch + "#A " + likeExport + "#B open:Last#L", "open:What_do_you_like_about_exports? open:Last", "B:similar? L:identical"},
		"family, both deleted and two added":   {likeSearch + "#A " + likeExport + "#B open:Last#L", "open:Last " + likeBilling + " " + likeUs, "L:identical ?A|B ?A|B"},
		"family, each by its number":           {"open:Part_12_of_it?#A open:Part_47_of_it?#B open:x#X", "open:x open:Is_part_12_of_it? open:Is_part_47_of_it?", "X:identical A:similar? B:similar?"},
		"family, each a bit closer to its own": {part12 + "#A " + part47 + "#B open:x#X", "open:x open:Are_you_happy_with_part_12_of_our_product? open:Are_you_happy_with_part_47_of_our_product?", "X:identical A:similar? B:similar?"},
		"family, crossed after a move":         {part12 + "#A " + part47 + "#B open:x#X", "open:x open:Are_you_happy_with_part_47_of_our_product? open:Are_you_happy_with_part_12_of_our_product?", "X:identical ?A|B ?A|B"},
		"family, nothing moved":                {"open:x#X " + likeSearch + "#A " + likeExport + "#B", "open:x " + likeBilling + " " + likeUs, "X:identical ?A|B ?A|B"},
		"family, equally like":                 {"open:Part_12_of_our_shop?#A open:Part_47_of_our_shop?#B", "open:Part_88_of_our_shop?", "?A|B"},
		"similar in another type as well":      {"open:why-not-so#A link:why-not-so#B open:x#X", "open:x open:why-not-so?", "X:identical A:similar?"},
		"equal in another type":                {"open:why-not-now#A link:why-not#B open:x#X", "open:x open:why-not", "X:identical -"},
		"similar to two of another type":       {"link:What_do_you_use_now!#A link:What_do_you_use_now.#B open:What_do_you_use_here?#C open:x#X", "open:x open:What_do_you_use_now?", "X:identical -"},
		"two similar ones, the same content":   {"open:What_do_you_like/a#A", "open:What_do_you_like?/b open:What_do_you_like_now?/a", "A:similar? -"},
		"beside twins of which one may be it":  {"open:What_else/p#A open:What_else/s#B open:What_else/s#C", "open:What_else?/n open:What_else/q open:What_else/s", "A:similar? B:text? C:identical"},
		"beside its equal twin":                {"open:What_else?#A open:What_else?#B", "open:What_else? open:What_else_now?", "A:identical B:similar?"},
		"beside two of the other's text":       {"open:What_else?#A open:What_else_now?#B", "open:What_else? open:What_else?", "A:identical B:similar?"},
		"beside one with an ID of no question": {"open:What_else/s#A open:b#B", "open:What_else?/x open:What_else?/s#Z open:b", "A:similar? Z- B:identical"},
		"an ID that is stated is out of reach": {"open:why-not#A open:x#X", "open:x open:new open:why-not?#X", "- - X:id"},
	})
}

// Equal questions that moved past many others are paired, whatever their number.
func TestMatchOfManyEqualQuestions(t *testing.T) {
	t.Parallel()
	const number = 150
	var unique, equal []Question
	for i := range number {
		unique = append(unique, Question{ID: fmt.Sprint("u", i), Type: "open", Text: fmt.Sprint("Question ", i, "?"), Content: NoContent})
		equal = append(equal, Question{ID: fmt.Sprint("e", i), Type: "open", Text: "Why?", Content: NoContent})
	}
	pairs := Match(slices.Concat(unique, equal), WithoutIDs(slices.Concat(equal[1:], unique)))
	for i, pair := range pairs {
		assert.Equal(t, Identical, pair.Rule, i)
	}
}

func TestMatchByPositionIsOnlyPossible(t *testing.T) {
	t.Parallel()
	checkMatches(t, map[string]matchCase{
		"one rewritten":            {"open:a#A open:b#B", "open:a open:new", "A:identical B:position?"},
		"with another length":      {"open:a#A open:b#B open:c#C", "open:a open:new", "A:identical -"},
		"beside a move":            {"open:a#A open:b#B open:c#C", "open:b open:a open:new", "B:identical A:identical -"},
		"like a retyped one":       {"open:xx#A link:why-not#B", "open:why-not? link:new", "- B:position?"},
		"half like a retyped one":  {"open:zzz#A link:abc#B", "open:abd link:qqq", "- B:position?"},
		"like a retyped one there": {"open:one#A link:why-not#B", "open:why-not link:why-not", "A:position? B:identical"},
	})
}

func TestCompareIgnoresIDsThatTheVersionBeforeLacks(t *testing.T) {
	t.Parallel()
	before, after := list("open:a#A open:b#B open:c#C"), list("open:b#S open:new#B open:c open:a#T")
	assert.Equal(t, "- B:id C:identical A:identical", summaryOf(Compare(before, after), before))
	assert.Equal(t, list("open:b#S open:new#B open:c open:a#T"), after, "Compare must not modify its input")
}

func TestMatchChangesNoInput(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:T/a#A open:T/b#B | open:T/c#C open:T/d#D | open:T/d#D")
	config := list("open:T/d open:T/a")
	raw, before, after := string(h.Encode()), slices.Clone(live), slices.Clone(config)
	first := h.Match(live, config)
	assert.Equal(t, first, h.Match(live, config), "two matches of the same configuration differ")
	assert.Equal(t, raw, string(h.Encode()))
	assert.Equal(t, before, live)
	assert.Equal(t, after, config)
}
