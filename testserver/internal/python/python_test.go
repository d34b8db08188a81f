package python_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
)

func TestRepr(t *testing.T) {
	t.Parallel()

	for raw, want := range map[string]string{
		`null`: "None", `true`: "True", `false`: "False", `-0`: "0", `1.0`: "1.0", `1e2`: "100.0", `1e16`: "1e+16", `1e400`: "inf",
		`"it's"`: `"it's"`, `"a\nb"`: `'a\nb'`, `"é"`: "'é'", `[1,"a"]`: "[1, 'a']", `{"a":{"b":null}}`: "{'a': {'b': None}}",
	} {
		assert.Equal(t, want, python.Repr(json.RawMessage(raw)), raw)
	}
	assert.Equal(t, "it's", python.Str(json.RawMessage(`"it's"`)), "a text")
}

func TestReadJSON(t *testing.T) {
	t.Parallel()

	read, err := python.ReadJSON([]byte(`{"a": NaN, "NaN": [-Infinity, "Infinity"]}`))
	assert.NoError(t, err)
	assert.Equal(t, `{"a":1e+000999,"NaN":[-1e999,"Infinity"]}`, string(read), "texts stay")
	assert.True(t, python.HoldsInfinity(read), "%s", read)
	assert.False(t, python.HoldsInfinity(json.RawMessage(`{"a":"1e999","b":1e10}`)), "a text, and a number")
}

func TestText(t *testing.T) {
	t.Parallel()

	assert.Equal(t, "a\u200b", python.Trim(" \x1c\u00a0a\u200b\n"), "blanks without a width stay")

	half, found := python.HalfSurrogate(json.RawMessage(`"\ud83d\ude00 \ude00"`))
	assert.True(t, found, "half of a pair")
	assert.Equal(t, rune(0xde00), half, "half of a pair")
	_, found = python.HalfSurrogate(json.RawMessage(`"\\ud83d \ud83d\ude00"`))
	assert.False(t, found, "an escaped backslash, and a pair")

	assert.True(t, python.HoldsNUL(json.RawMessage(`"\\\u0000"`)), "behind a backslash")
	assert.False(t, python.HoldsNUL(json.RawMessage(`"\\u0000"`)), "an escaped backslash")
}
