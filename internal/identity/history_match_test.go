package identity

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A match uses every earlier version of a question, whether an apply wrote it or a teammate edited it in PostHog.
func TestHistoryMatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ past, config, want string }{
		"nothing remembered, nothing held":        {"", "open:a", "-"},
		"reworded, configuration as it was":       {"open:a#A open:b#B | open:x#A open:b#B", "open:a open:b", "A:identical B:identical"},
		"added, then reworded":                    {"open:a#A | open:a#A open:c#C | open:a#A open:z#C", "open:a open:c", "A:identical C:identical"},
		"added, then deleted":                     {"open:a#A | open:a#A open:c#C | open:a#A", "open:a open:c", "A:identical C:identical?"},
		"content edited, configuration as it was": {"open:T/a#A open:T/b#B | open:T/b#A open:T/c#B", "open:T/a open:T/b", "A:identical B:identical"},
		"text taken over by a new one, adopted":   {"open:a#A open:b#B | open:x#A open:b#B open:a#C", "open:x open:b open:a open:n", "A:identical B:identical C:identical -"},
		"added, a similar one in config":          {"open:a#A | open:a#A open:what-else?#C", "open:a open:what-else", "A:identical -"},
		"added and accepted, reworded":            {"open:a#A | open:a#A open:what-else?#C | open:a#A open:what-else?#C", "open:a open:what-else", "A:identical C:similar"},
		"closest content of an older version":     {"open:T/a+b+c#A open:T/x+y+z#B open:r#R | open:T/1#A open:T/2#B open:r#R", "open:r open:T/x+y+w open:T/a+b+d", "R:identical B:text? A:text?"},
		"content of the base":                     {"open:abcdefgh1/a#A open:abcdefgh2/b#B open:x#X | open:abcdefgh1/b#A open:abcdefgh2/a#B open:x#X", "open:x open:abcdefgh3/b", "X:identical B:similar?"},
		"similar to one that was added":           {"open:a#A open:b#B | open:a#A open:b#B open:what-else?#C", "open:a open:what-else", "A:identical B:position?"},

		"retyped in both":                       {"open:why-not#A | link:why-not#A", "link:why-not?", "A:similar"},
		"retyped in both, rewritten in PostHog": {"open:a#A open:b#B | link:z#A open:b#B", "link:a open:b", "A:text B:identical"},
		"the same, reworded and moved":          {"open:why-not#A open:b#B | open:b#B link:z#A", "link:why-not? open:b", "A:similar B:identical"},
		"retyped in both, then deleted":         {"open:a#A open:b#B | link:z#A open:b#B | open:b#B", "link:a open:b", "- B:identical"},
		"retyped back in the configuration":     {"open:a#A link:what-else#B open:c#C | open:a#A open:x#B open:c#C", "link:what-else?", "B:similar"},
		"retyped in config, deleted in PostHog": {"open:a#A open:why-not#B link:c#C | link:c#C", "link:why-not?", "-"},
		"retyped like one deleted before":       {"open:why-not#A link:why-so#C | link:why-so#C", "link:why-not", "-"},

		"deleted":                           {"open:what-else?#A open:b#B | open:b#B", "open:what-else? open:b", "A:identical? B:identical"},
		"deleted and reworded":              {"open:what-else?#A open:b#B | open:b#B", "open:what-else open:b", "A:similar? B:identical"},
		"deleted, rewritten":                {"open:a#A open:b#B | open:b#B", "open:new open:b", "- B:identical"},
		"deleted, its twin edited":          {"open:T/a#A open:T/b#B | open:T/a#A", "open:T/c", "A:text?"},
		"two deleted, one like both":        {part12 + "#A " + part47 + "#B open:x#X | open:x#X", "open:x open:Are_you_happy_with_part_12_of_our_product?", "X:identical ?A|B"},
		"deleted, asked again (F12)":        {"open:a#A open:Else?/x#B | open:a#A | open:a#A open:Else?/y#C", "open:a open:Else?/y", "A:identical C:identical"},
		"deleted, asked again in config":    {"open:a#A open:Else?/x#B | open:a#A | open:a#A", "open:a open:Else?/x", "A:identical B:identical?"},
		"deleted, replaced by a like (F21)": {"open:one#A open:b#B | open:two#N open:b#B | open:two#C open:b#D | open:one#E open:b#D", "open:one open:b", "E:identical B@1:identical"},
		"held goes before deleted":          {"open:why-not#A open:b#B | open:why-not?#C open:b#B | open:why-not?#C open:b#B", "open:b open:why-not!", "B:identical C:similar?"},

		"equal around a deleted one": {"open:o#O open:T#A open:x#X open:T#B | open:o#O open:T#A open:T#B", "open:T/d open:x open:T", "A:text X:identical? B:identical"},

		"copied, the copy first":                        {"open:a#A open:b#B | open:c#A open:a#A open:b#B", "open:c open:a open:b", "@0:identical A@1:identical B:identical"},
		"copied, the copy last":                         {"open:a#A open:b#B | open:a#A open:b#B open:c#A", "open:a open:b open:c", "A:identical B:identical @2:identical"},
		"copied with its text":                          {"open:a#A open:b#B | open:a#A open:b#B open:a#A", "open:a open:b open:a", "A:identical B:identical @2:identical"},
		"copied and reworded":                           {"open:a#A open:b#B | open:z#A open:c#A open:b#B", "open:a open:b", "A:identical B:identical"},
		"copied to another one":                         {"open:a#A open:b#B | open:a#A open:b#A", "open:a open:b", "A:identical B@1:identical"},
		"shared from the start":                         {"open:a#A open:b#A", "open:a open:b", "A:identical A@1:identical"},
		"IDs replaced":                                  {"open:a#A open:b#B | open:a#C open:b#D", "open:a open:b", "A@0:identical B@1:identical"},
		"left out, then reworded wholly":                {"open:a#A open:b#B | open:a open:b | open:z open:b", "open:a open:b", "A@0:identical B@1:identical"},
		"IDs replaced twice":                            {"open:a#A open:b#B | open:a#C open:b#D | open:a#E open:b#F", "open:a open:b", "A@0:identical B@1:identical"},
		"IDs replaced, twins swapped (F1)":              {"open:T/a#A open:T/b#B | open:T/b#C open:T/a#D", "open:T/b open:T/a", "B@0:identical A@1:identical"},
		"the same, content edited":                      {"open:T/a+b+c+d#A open:T/w+x+y+z#B | open:T/w+x+y+v#C open:T/a+b+c+e#D", "open:T/a+b+c+d open:T/w+x+y+z", "A:identical? B:identical?"},
		"the same, half the content":                    {"open:T/a+b+c#A open:T/x+y+z#B | open:T/x+y+w#C open:T/a+b+d#D", "open:T/a+b+c open:T/x+y+z", "A:identical? B:identical?"},
		"twins that content does not decide":            {"open:T/a#A open:T/b#B open:r#R | open:r#S open:T/c#C open:T/d#D", "open:r open:T/c open:T/d", "R@0:identical C:identical D:identical"},
		"IDs replaced, one reworded (F3)":               {"open:Like_it?#A open:b#B | open:Dislike_it?#C open:b#D", "open:Dislike_it? open:b", "C:identical B@1:identical"},
		"the same, as it was":                           {"open:Like_it?#A open:b#B | open:Dislike_it?#C open:b#D", "open:Like_it? open:b", "A:identical? B@1:identical"},
		"replaced, both live":                           {"open:a#A open:b#B | open:a#C open:b#B | open:a#C open:b#B open:a#A", "open:a open:b open:a", "C:identical B:identical A:identical"},
		"replaced, new one written, again":              {"open:a#A | open:a#C | = open:a#C | open:a#D", "open:a", "C@0:identical"},
		"an old ID stated, the other one rewritten":     {"open:b#B open:a#A | = open:c#C open:a#A", "open:c#B open:new", "B:id A:position?"},
		"replaced, the old one stated":                  {"open:a#A | open:a#C", "open:a#A", "A@0:id"},
		"replaced, the new one stated":                  {"open:a#A | open:a#C", "open:a#C", "C:id"},
		"replaced and reworded, stated":                 {"open:what_else?#A open:b#B | open:what_else#C open:b#B", "open:what_else?#A open:b#B", "A@0:id B:id"},
		"replaced and half reworded, stated":            {"open:abc#A open:b#B | open:abd#C open:b#B", "open:abc#A open:b", "A@0:id B:identical"},
		"replaced by one of two, stated":                {"open:abc#A | open:abd#C open:abe#D", "open:abc#A", "A@0:id"},
		"replaced twice, the second stated":             {"open:a#A | open:a#C | open:a#E", "open:a#C", "C@0:id"},
		"restored after a write, new stated":            {"open:a#A open:b#B | = open:a#C open:b#B | open:a#A open:b#B", "open:a#C open:b", "C@0:id B:identical"},
		"replaced by the closest, stated":               {"open:what_else?#A | open:what_now?#C open:what_elsewhere?#D", "open:what_else?#A", "A@1:id"},
		"two replaced, both stated":                     {"open:what_else?#A open:what_else!#B | open:what_else?#C open:what_else!#D", "open:what_else!#B open:what_else?#A", "B@1:id A@0:id"},
		"stated, reworded in both":                      {"open:what_do_you_use?#A | open:what_did_you_use?#C", "open:something#A", "A@0:id"},
		"stated, held by another":                       {"open:a#A open:what_else?#B | open:what_else?#B", "open:what_else?#A open:b", "A:id B:position?"},
		"no IDs since":                                  {"open:a#A open:b#B | open:b open:a", "open:a open:b", "A@1:identical B@0:identical"},
		"no ID since, rewritten":                        {"open:a#A open:b#B | open:x open:b#B", "open:x open:b", "@0:identical B:identical"},
		"equal twins added, one of them replaced":       {"open:what_else?#A open:what_else#B | open:what_else?#U open:what_else#V open:what_else?#C open:what_else#D", "open:what_else open:what_else open:what_else? open:what_else", "- B@1:identical A@0:identical D:identical"},
		"an equal twin added, the written one reworded": {"open:what_else#A | open:b#U open:what_else#V open:what_else?#A", "open:b open:what_else", "U:identical A:identical"},
		"replaced with other content, both asked":       {"open:T/s#A open:b#B | open:T/p#U open:zz#C open:b#D", "open:T/p open:T/s open:b", "U:identical A:identical? B@2:identical"},
		"replaced, new one stated, both asked":          {"open:T/s#A open:b#B | open:zz#C open:b#D open:T/n#E", "open:T/s open:b open:T/n#E", "A:identical? B@1:identical E:id"},
		"both IDs written, both replaced":               {"open:T/s#A | open:T/s#B | = open:T/k#A open:T/s#B | open:T/s#U open:zz#C open:T/s#D", "open:T/k open:T/s#B", "A:identical? B@0:id"},
		"same content as an older version":              {"open:what_else/s#A open:b#B | open:zz/s#A open:b#B | open:zz/s#A open:b#B", "open:what_else?/s open:b open:zz/f", "- B:identical A:text?"},
		"added, adopted, and reworded wholly":           {"open:a#A | open:c#C open:a#A | open:zz#C open:a#A | open:zz#C open:a#A", "open:c2 open:a", "C:position? A:identical"},
		"reset to the last write but one, moved":        {"open:a#A open:b#B open:c#C | = open:x#A open:b#B open:c#C", "open:c open:b open:a", "C:identical B:identical A:text?"},
		"old text of one, now of another":               {"open:a#A open:b#B | = open:x#A open:b#B | open:x#A open:b#B open:a#N", "open:b open:a", "B:identical N:identical"},
		"never an ID":                                   {"open:a | open:b", "open:a", "@0:identical"},
		"never an ID, one added":                        {"open:a | open:b open:a", "open:b open:a", "@0:identical @1:identical"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, live := remembered(c.past)
			assert.Equal(t, c.want, summaryOf(h.Match(live, list(c.config)), live), "%s in PostHog, %s in the configuration", c.past, c.config)
		})
	}
}

func TestHistoryMatchTellsWhatAQuestionWas(t *testing.T) {
	t.Parallel()
	h, live := remembered("open:a#A open:c#B open:d#D | open:x#C open:c#E")
	pairs := h.Match(live, list("open:a#A open:c open:d"))
	assert.Equal(t, list("open:a#A open:c#B open:d#D"), []Question{pairs[0].Was, pairs[1].Was, pairs[2].Was})
	assert.Equal(t, []int{-1, 1, -1}, []int{pairs[0].Index, pairs[1].Index, pairs[2].Index})

	h, live = remembered("open:T/a#A open:T/b#B | open:T/a#C open:T/b#D")
	assert.Equal(t, list("open:T/a#A open:T/b#B"), h.Match(live, list("open:T/c"))[0].Candidates, "the candidates must be the IDs that have answers")

	// PostHog's questions may be newer than the last read.
	h, _ = remembered("open:a#A | open:a#C")
	h.Match(list("open:a#C"), list("open:a#C"))
	assert.Equal(t, "A", h.WantedID("C"), "a match with a stated ID must not modify the history")
	live = list("open:a#C open:b#A")
	assert.Equal(t, "C:identical A:identical", summaryOf(h.Match(live, list("open:a open:b")), live), "each question must keep its ID, because PostHog has questions with both IDs")
}
