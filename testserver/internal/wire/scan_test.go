package wire

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

		raw := MustCompact([]byte(text))
		assert.Equal(t, len(raw), extent(raw))

		switch raw[0] {
		case '{':
			var want map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(raw, &want))
			assert.Equal(t, RawFields(want), Members(raw))
			each := RawFields{}
			for name, value := range Each(raw) {
				each[Unquote(name)] = value
			}
			assert.Equal(t, Members(raw), each)
		case '[':
			var want []json.RawMessage
			require.NoError(t, json.Unmarshal(raw, &want))
			got := []json.RawMessage{}
			for _, item := range Items(raw) {
				got = append(got, item)
			}
			assert.Equal(t, want, got)
		case '"':
			var want string
			require.NoError(t, json.Unmarshal(raw, &want))
			assert.Equal(t, want, Unquote(raw))
		}
	})
}
