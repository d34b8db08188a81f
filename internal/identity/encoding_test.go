package identity

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var encodedPasts = []string{
	"",
	"open:a/x#A open:b#B",
	"open:a#A open:b#B | open:x#A open:b#B | open:y#A",
	"open:a#A | ",
	"open:a#A open:a#A",
	"open:Like_it?#A open:b#B | open:Dislike_it?#C open:b#D",
	"open:T/a#A open:T/b#B open:r#R | open:r#R open:T/c#C open:T/d#D",
	"open:a#A open:b#B | open:a open:b#B",
}

func TestEncodedHistoryIsTheSame(t *testing.T) {
	t.Parallel()
	for _, past := range encodedPasts {
		h, _ := remembered(past)
		h.replaced = withCounts(h.replaced)
		decoded, err := Decode(h.Encode())
		require.NoError(t, err, past)
		assert.Equal(t, h, decoded, past)
	}
	decoded, err := Decode(History{}.Encode())
	require.NoError(t, err)
	assert.Equal(t, History{}, decoded)
}

func withCounts(replaced map[string]replacement) map[string]replacement {
	for id, r := range replaced {
		r.Counts = Counts{Before: new(int64(3)), Since: new(int64(0)), Stays: true}
		replaced[id] = r
	}
	return replaced
}

// The names of fields that earlier releases wrote can't change, because states contain them.
func TestEncodedHistorySharesQuestions(t *testing.T) {
	t.Parallel()
	h, _ := remembered("open:a#A open:b#B | open:a#C open:b#B")
	assert.JSONEq(t, `{"open": true, "written": 1, "accepted": 1, "lists": [[0, 1], [2, 1]], "cuts": {"C": {"old": "A"}}, "questions": [
		{"id": "C", "type": "open", "question": "a", "content": "-"}, {"id": "B", "type": "open", "question": "b", "content": "-"},
		{"id": "A", "type": "open", "question": "a", "content": "-"}]}`, string(h.Encode()))
}

func TestDecodeReadsWhatEarlierReleasesWrote(t *testing.T) {
	t.Parallel()
	const questions = `[{"id":"A","type":"open","question":"a"},{"id":"B","type":"open","question":"b"}]`
	for name, c := range map[string]struct{ raw, past string }{
		"nothing":                           {" \n", ""},
		"the questions of the last write":   {questions, "open:a/?#A open:b/?#B"},
		"no questions":                      {"[]", " "},
		"versions without content":          {`{"written":1,"accepted":1,"questions":` + questions + `,"lists":[[1],[0,1]]}`, "open:a/?#A open:b/?#B | open:b/?#B"},
		"replaced IDs":                      {`{"open":true,"written":1,"accepted":1,"questions":[{"id":"C","type":"open","question":"a"},{"id":"A","type":"open","question":"a"}],"lists":[[0],[1]],"cuts":{"C":{"old":"A"}}}`, "open:a/?#A | open:a/?#C"},
		"replaced IDs that are only likely": {`{"written":1,"accepted":1,"questions":[{"id":"C","type":"open","question":"like-it!"},{"id":"A","type":"open","question":"like-it?"}],"lists":[[0],[1]],"cuts":{"C":{"old":"A","likely":true}}}`, "open:like-it?/?#A | open:like-it!/?#C"},
	} {
		var want History
		if c.past != "" {
			want, _ = remembered(c.past)
		}
		h, err := Decode([]byte(c.raw))
		require.NoError(t, err, name)
		assert.Equal(t, want, h, name)
	}

	// The first read that finds the same questions adds their content.
	old, err := Decode([]byte(questions))
	require.NoError(t, err)
	live := list("open:a/x#A open:b#B")
	read := old.AfterRead(nil, live, false)
	assert.Equal(t, [][]Question{live}, read.Versions())
	assert.Equal(t, list("open:a/?#A open:b/?#B"), old.Newest(), "AfterRead must not modify its receiver")
	assert.Equal(t, []string{"aA bB wa"}, versionsOf(read))
	assert.Equal(t, []string{"aA bB ", "aA bB wa"}, versionsOf(read.AfterRead(nil, list("open:a/y#A open:b#B"), false)))
}

func TestDecodeRefusesCorruptInput(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"questions":[],"lists":[[0]]}`:  "question 0 does not exist",
		`{"lists":[[-1]]}`:                "question -1 does not exist",
		`{"accepted":2,"lists":[[]]}`:     "version 2 does not exist",
		`{"written":1,"lists":[[]]}`:      "version 1 does not exist",
		`{"accepted":1}`:                  "version 1 does not exist",
		`{"lists":`:                       "unexpected end of JSON input",
		`[7]`:                             "json: cannot unmarshal number",
		`{"cuts":{"A":1},"questions":[]}`: "json: cannot unmarshal number",
	} {
		h, err := Decode([]byte(raw))
		assert.ErrorContains(t, err, want, raw)
		assert.Equal(t, History{}, h, raw)
	}
}
