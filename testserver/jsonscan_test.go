package testserver

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The scanner finds the parts that the standard library finds.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `{"a":1}`, `{"a":{"b":[{},[],"}"]},"c\"\\":"\\\"","d":-1.5e+3,"e":null,"f":true}`, `[1,"a,]",[[]],{"x":{}},false]`,
		`{"a":1,"a":2}`, ` [ 1 , { "k" : "v" } ] `, `{"é\u00e9":"\ud83d\ude00"}`, `"x"`, `5`, `{"":""}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		raw := compact([]byte(text))
		assert.Equal(t, len(raw), extent(raw))
		switch raw[0] {
		case '{':
			var want map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(raw, &want))
			assert.Equal(t, fields(want), members(raw))
		case '[':
			var want []json.RawMessage
			require.NoError(t, json.Unmarshal(raw, &want))
			got := []json.RawMessage{}
			for _, item := range elements(raw) {
				got = append(got, item)
			}
			assert.Equal(t, want, got)
		case '"':
			var want string
			require.NoError(t, json.Unmarshal(raw, &want))
			assert.Equal(t, want, unquote(raw))
		}
		// As a string that holds JSON it is the same JSON.
		var back string
		require.NoError(t, json.Unmarshal(appendJSONText(nil, raw), &back))
		var want string
		require.NoError(t, json.Unmarshal(quote(string(raw)), &want))
		assert.Equal(t, want, back)
	})
}

func TestMergePatch(t *testing.T) {
	t.Parallel()
	// The cases of RFC 7396, appendix A, and a number that no float holds.
	for _, row := range [][3]string{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`["a","b"]`, `["c","d"]`, `["c","d"]`},
		{`{"a":"b"}`, `["c"]`, `["c"]`},
		{`{"e":null}`, `{"a":1}`, `{"a":1,"e":null}`},
		{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
		{`{"n":9007199254740993}`, `{"m":1.50}`, `{"m":1.50,"n":9007199254740993}`},
	} {
		assert.Equal(t, row[2], string(mergePatch(json.RawMessage(row[0]), json.RawMessage(row[1]))))
	}
}
