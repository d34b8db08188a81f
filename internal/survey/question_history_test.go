package survey

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// privateKeys is private state in memory.
type privateKeys map[string][]byte

func (p privateKeys) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) {
	return p[key], nil
}

func (p privateKeys) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	p[key] = value
	return nil
}

// matchedIDs are the ids that a configuration gets, "-" for a new question.
func matchedIDs(prior []Question, past QuestionHistory, config []Question) []string {
	ids := []string{}
	for _, from := range Match(prior, past, config) {
		id := from.ID.ValueString()
		if from.ID.IsNull() {
			id = "-"
		}
		ids = append(ids, id)
	}
	return ids
}

// historyOf is what is remembered after a write of the first list and a read of each
// further one, oldest first.
func historyOf(lists ...string) QuestionHistory {
	var h QuestionHistory
	for k, short := range lists {
		if k == 0 {
			h = h.AfterWrite(list(short))
			continue
		}
		h = h.AfterRead(nil, list(short), false)
	}
	return h
}

// What a question was called counts, however long ago: by apply, by somebody else, taken
// over into the code or not.
func TestMatchByHistory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		past   []string
		config string
		want   []string
	}{
		"reworded, code as it was":                {[]string{"open:a#A open:b#B", "open:x#A open:b#B"}, "open:a open:b", []string{"A", "B"}},
		"reworded twice, code in between":         {[]string{"open:a#A", "open:x#A", "open:y#A"}, "open:x", []string{"A"}},
		"made outside, then reworded":             {[]string{"open:a#A", "open:a#A open:c#C", "open:a#A open:z#C"}, "open:a open:c", []string{"A", "C"}},
		"made outside, then deleted":              {[]string{"open:a#A", "open:a#A open:c#C", "open:a#A"}, "open:a open:c", []string{"A", "C"}},
		"made outside, then retyped":              {[]string{"open:a#A", "open:a#A open:c#C", "open:a#A link:c#C"}, "open:a open:c", []string{"A", "C"}},
		"replaced, then reworded":                 {[]string{"open:a#A open:b#B", "open:c#C open:b#B", "open:z#C open:b#B"}, "open:c open:b", []string{"C", "B"}},
		"deleted, and a text again":               {[]string{"open:a#A open:b#B", "open:b#B", "open:a#C open:b#B"}, "open:a open:b", []string{"A", "B"}},
		"saved without ids, and reworded":         {[]string{"open:a#A open:what-else#B", "open:a#C open:what-else?#D"}, "open:a open:what-else?", []string{"A", "B"}},
		"saved without ids, twice":                {[]string{"open:what-else#A open:b#B", "open:what-else#C open:b#D", "open:what-else?#E open:b#F"}, "open:what-else? open:b", []string{"A", "B"}},
		"saved without ids, and rewritten":        {[]string{"open:a#A open:b#B", "open:a#C open:z#D"}, "open:a open:z", []string{"A", "D"}},
		"saved without one id":                    {[]string{"open:a#A open:b#B", "open:a#A open:b#D"}, "open:a open:b", []string{"A", "B"}},
		"saved without one id, and reworded":      {[]string{"open:a#A open:what-else#B", "open:a#A open:what-else?#D"}, "open:a open:what-else?", []string{"A", "D"}},
		"all replaced by others":                  {[]string{"open:a#A", "open:z#D"}, "open:z", []string{"D"}},
		"saved without ids":                       {[]string{"open:a#A open:b#B", "open:a#C open:b#D"}, "open:a open:b", []string{"A", "B"}},
		"saved without ids, then refreshed":       {[]string{"open:a#A open:b#B", "open:a#C open:b#D", "open:a#C open:b#D"}, "open:a open:b", []string{"A", "B"}},
		"text taken over by a new one, adopted":   {[]string{"open:a#A open:b#B", "open:x#A open:b#B open:a#C"}, "open:x open:b open:a open:n", []string{"A", "B", "C", "-"}},
		"text taken over by a new one":            {[]string{"open:a#A open:b#B", "open:x#A open:b#B open:a#C"}, "open:a open:b", []string{"A", "B"}},
		"made outside, another in code":           {[]string{"open:a#A", "open:a#A open:c#C", "open:a#A open:c#C"}, "open:a open:n", []string{"A", "-"}},
		"made outside, reworded in code":          {[]string{"open:a#A", "open:a#A open:what-else?#C", "open:a#A open:what-else?#C"}, "open:a open:what-else", []string{"A", "C"}},
		"made outside just now, another in code":  {[]string{"open:a#A", "open:a#A open:c#C"}, "open:a open:n", []string{"A", "-"}},
		"made outside just now, alike in code":    {[]string{"open:a#A", "open:a#A open:what-else?#C"}, "open:a open:what-else", []string{"A", "-"}},
		"retyped and rewritten, reworded in code": {[]string{"open:a#A link:what-else#B open:c#C", "open:a#A open:x#B open:c#C", "open:a#A open:x#B open:c#C"}, "link:what-else?", []string{"B"}},
		"retyped in code, deleted outside":        {[]string{"open:a#A open:b#B link:c#C", "link:c#C"}, "link:b", []string{"-"}},
		"the same, two refreshes later":           {[]string{"open:a#A open:b#B link:c#C", "link:c#C", "link:c#C"}, "link:b", []string{"-"}},
		"retyped, edited in code, gone outside":   {[]string{"open:a#A open:why-not#B link:c#C", "link:c#C"}, "link:why-not?", []string{"-"}},
		"retyped in code like one deleted before": {[]string{"open:why-not#A link:why-so#C", "link:why-so#C"}, "link:why-not", []string{"-"}},
		"retyped alike, edited in code":           {[]string{"open:why-not#A", "link:why-not#A"}, "link:why-not?", []string{"A"}},
		"retyped alike, edited outside":           {[]string{"open:why-not#A", "link:why-not?#A"}, "link:why-not", []string{"A"}},
		"retyped alike, rewritten outside":        {[]string{"open:a#A open:b#B", "link:z#A open:b#B"}, "link:a open:b", []string{"A", "B"}},
		"retyped alike, rewritten, moved outside": {[]string{"open:a#A open:b#B", "open:b#B open:n#N link:z#A"}, "link:a open:b", []string{"A", "B"}},
		"retyped alike, both edited, moved":       {[]string{"open:why-not#A open:b#B", "open:b#B link:z#A"}, "link:why-not? open:b", []string{"A", "B"}},
		"retyped alike, gone since":               {[]string{"open:a#A open:b#B", "link:z#A open:b#B", "open:b#B"}, "link:a open:b", []string{"-", "B"}},
		"reworded to a text with another type":    {[]string{"open:why-not#A link:why-not?#B"}, "open:why-not? link:why-not?", []string{"A", "B"}},
		"code goes back":                          {[]string{"open:a#A open:b#B", "open:x#A open:b#B", "open:x#A open:b#B"}, "open:b open:a", []string{"B", "A"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prior := list(c.past[len(c.past)-1])
			assert.Equal(t, c.want, matchedIDs(prior, historyOf(c.past...), list(c.config)))
		})
	}
}

// A read that finds nothing new changes what is remembered at most once, so that the
// next one may be skipped.
func TestHistoryComesToRest(t *testing.T) {
	t.Parallel()
	h := historyOf("open:a#A open:b#B", "open:x#A open:b#B")
	assert.True(t, h.isOpen())
	assert.Equal(t, 1, h.accepted)

	settled := h.AfterRead(nil, list("open:x#A open:b#B"), false)
	assert.False(t, settled.isOpen())
	assert.Equal(t, 0, settled.accepted)
	assert.Equal(t, settled, settled.AfterRead(nil, list("open:x#A open:b#B"), false))

	minted := historyOf("open:a#A", "open:a#C").AfterRead(nil, list("open:a#C"), false)
	assert.True(t, minted.isOpen(), "where the answers are that were cut off is asked again")
	assert.Equal(t, minted, minted.AfterRead(nil, list("open:a#C"), false))
}

// What is remembered is bounded, and never loses what the code said last.
func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	h := historyOf("open:written#A")
	for i := range 100 {
		h = h.AfterRead(nil, list(fmt.Sprintf("open:%d#A", i)), false)
	}
	assert.LessOrEqual(t, len(h.lists), keptLists+2)
	assert.Equal(t, list("open:written#A"), h.lists[h.written])
	assert.Equal(t, list("open:98#A"), h.lists[h.accepted])
	assert.Equal(t, []string{"A"}, matchedIDs(list("open:99#A"), h, list("open:written")))
}

// The private state gives back what was put into it, and reads that of version 0.1, which
// has the questions of the last write.
func TestHistoryInPrivateState(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	for _, h := range []QuestionHistory{{}, historyOf("open:a#A open:b#B"), historyOf("open:a#A open:b#B", "open:x#A open:b#B", "open:y#A"), historyOf("open:a#A", "")} {
		private := privateKeys{HistoryKey: h.encode()}
		got := LoadMemory(t.Context(), private, types.StringValue("NPS"), &diags).Questions
		assert.JSONEq(t, string(h.encode()), string(got.encode()))
		assert.Equal(t, len(h.lists), len(got.lists))
	}

	old, err := json.Marshal([]map[string]string{{"id": "A", "type": "open", "question": "a"}, {"id": "B", "type": "open", "question": "b"}})
	require.NoError(t, err)
	assert.Equal(t, historyOf("open:a#A open:b#B"), LoadMemory(t.Context(), privateKeys{HistoryKey: old}, types.StringValue("NPS"), &diags).Questions)
	assert.Equal(t, historyOf(""), LoadMemory(t.Context(), privateKeys{HistoryKey: []byte(`[]`)}, types.StringValue("NPS"), &diags).Questions)
	assert.Empty(t, diags)

	// An earlier version found the new ids, and did not know them for those of the same questions.
	pending := []byte(`{"restores":true,"written":1,"accepted":1,"questions":[{"id":"C","type":"open","question":"x"},{"id":"A","type":"open","question":"a"},` +
		`{"id":"D","type":"open","question":"b"},{"id":"B","type":"open","question":"b"}],"lists":[[0,2],[1,3]]}`)
	h := LoadMemory(t.Context(), privateKeys{HistoryKey: pending}, types.StringValue("NPS"), &diags).Questions
	h = h.AfterRead(nil, list("open:x#C open:b#D"), false)
	assert.Equal(t, "B", h.Wanted("D"))
	assert.Equal(t, []string{"C", "B"}, matchedIDs(list("open:x#C open:b#D"), h, list("open:x open:b")))
	assert.Empty(t, diags)

	for _, broken := range []string{`{"lists":[[3]]}`, `{"accepted":2,"lists":[[]]}`, `{"lists":`, `7`} {
		var told diag.Diagnostics
		assert.Empty(t, LoadMemory(t.Context(), privateKeys{HistoryKey: []byte(broken)}, types.StringValue("NPS"), &told).Questions.lists, broken)
		require.Len(t, told, 1, broken)
		assert.Equal(t, `Cannot read the ids of questions from the private state: "NPS"`, told[0].Summary(), "Terraform folds warnings of one title")
	}
}
