package jsonvalue_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

func TestDecode(t *testing.T) {
	t.Parallel()

	value, err := jsonvalue.Decode(` {"a": [1.50, "x", null]} ` + "\n")
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"a": []any{json.Number("1.50"), "x", nil}}, value)

	for text, complaint := range map[string]string{
		``:                                 "the JSON is empty",
		`{"a"`:                             "the JSON is incomplete",
		`{} {}`:                            "text after the JSON value",
		`{}]`:                              "text after the JSON value",
		`1 x`:                              "text after the JSON value",
		strings.Repeat("9", 5000):          "a number has more than 4300 digits",
		strings.Repeat("[", 1001) + `1`:    "lists and objects are nested more than 1000 deep",
		`{"a":` + strings.Repeat("7", 9e3): "a number has more than 4300 digits",
	} {
		_, err := jsonvalue.Decode(text)
		assert.ErrorContains(t, err, complaint, "%.40s", text)
	}
}

func TestUnmarshal(t *testing.T) {
	t.Parallel()

	var into struct {
		ID    any `json:"id"`
		Count int `json:"count"`
	}
	require.NoError(t, jsonvalue.Unmarshal([]byte(`{"id": 12345678901234567890, "count": 3}`), &into))
	assert.Equal(t, json.Number("12345678901234567890"), into.ID)
	assert.Equal(t, 3, into.Count)

	var wrong *json.UnmarshalTypeError
	require.ErrorAs(t, jsonvalue.Unmarshal([]byte(`{"count": "x"}`), &into), &wrong)
}

func TestEqual(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		a, b             string
		equal, identical bool
	}{
		{`{"a": 1, "b": [2]}`, `{"b":[2.0],"a":10e-1}`, true, true},
		{`{"a": null}`, `{}`, true, false},
		{`{"a": {"b": null}}`, `{"a": {"c": null}}`, true, false},
		{`{"a": {}}`, `{}`, false, false},
		{`[null]`, `[]`, false, false},
		{`0`, `-0.0e7`, true, true},
		{`1`, `-1.0`, false, false},
		{`1`, `"1"`, false, false},
		{`false`, `null`, false, false},
		{`""`, `null`, false, false},
		{`0.1`, `0.1` + strings.Repeat("0", 4000), true, true},
		{`0.1`, `0.1` + strings.Repeat("0", 4000) + `1`, false, false},
		{`1e` + strings.Repeat("9", 4000), `10e` + strings.Repeat("9", 3999) + `8`, true, true},
		{`1e` + strings.Repeat("9", 4000), `1e` + strings.Repeat("9", 3999) + `8`, false, false},
		{`x`, `x`, true, true},
		{`x`, `y`, false, false},
		{`{}`, `{}}`, false, false},
	} {
		assert.Equal(t, c.equal, jsonvalue.Equal(jsonvalue.Text(c.a), jsonvalue.Text(c.b)), "%.40s, %.40s", c.a, c.b)
		assert.Equal(t, c.identical, jsonvalue.Identical(jsonvalue.Text(c.a), jsonvalue.Text(c.b)), "%.40s, %.40s", c.a, c.b)
	}

	assert.True(t, jsonvalue.Equal(float64(3), json.Number("3.0")), "numbers of different Go types with the same value must be equal")
	assert.False(t, jsonvalue.Equal(jsonvalue.Text(`1`), json.Number("1")), "a string must not equal a number")
	assert.False(t, jsonvalue.Equal(json.Number("1_0"), json.Number("10")))
}

// Comparing numbers doesn't compute them, and comparing lists doesn't take quadratic time. Either would exceed the
// test's timeout.
func TestEqualIsQuick(t *testing.T) {
	t.Parallel()

	var a, b strings.Builder
	for range 20_000 {
		a.WriteString(`1e999999999,`)
		b.WriteString(`10e999999998,`)
	}
	assert.True(t, jsonvalue.Equal(jsonvalue.Text("["+a.String()+"0]"), jsonvalue.Text("["+b.String()+"0]")))
}

func TestIsEmpty(t *testing.T) {
	t.Parallel()

	for text, empty := range map[string]bool{
		`null`: true, `""`: true, `false`: true, `[]`: true, `{}`: true, `{"a": null}`: true,
		`" "`: false, `0`: false, `true`: false, `[null]`: false, `{"a": ""}`: false, `{"a": {}}`: false,
	} {
		value, err := jsonvalue.Decode(text)
		require.NoError(t, err)
		assert.Equal(t, empty, jsonvalue.IsEmpty(value), text)
		assert.Equal(t, empty, jsonvalue.IsEmpty(jsonvalue.Text(text)), text)
	}
	assert.True(t, jsonvalue.IsEmpty(jsonvalue.Text("")))
	assert.False(t, jsonvalue.IsEmpty(jsonvalue.Text("no JSON")))
}

func TestDiff(t *testing.T) {
	t.Parallel()

	a, err := jsonvalue.Decode(`{"a": [1, {"b": "x"}], "c": [1], "d": {"e": 1.0}, "f": null}`)
	require.NoError(t, err)
	b, err := jsonvalue.Decode(`{"a": [1, {"b": "y", "z": true}], "c": [1, 2], "d": {"e": 1}}`)
	require.NoError(t, err)

	found := map[string][2]any{}
	jsonvalue.Diff(a, b, func(path jsonvalue.Path, a, b any) { found[path.String()] = [2]any{a, b} })
	assert.Equal(t, map[string][2]any{
		"a[1].b": {"x", "y"}, "a[1].z": {nil, true}, "c": {[]any{json.Number("1")}, []any{json.Number("1"), json.Number("2")}},
	}, found)

	jsonvalue.Diff(json.Number("1"), nil, func(path jsonvalue.Path, _, _ any) {
		assert.Empty(t, path.String())
		assert.Equal(t, "questions[0].scale", append(path, "scale").Below("questions[0]"))
	})
}

func TestReplace(t *testing.T) {
	t.Parallel()

	value := map[string]any{"a": []any{"x", "y"}, "b": map[string]any{"c": "z"}, "d": "w"}
	marks := map[string]any{"a": []any{false, true}, "b": map[string]any{"new": true}, "e": true, "f": []any{}}
	replaced := jsonvalue.Replace(value, marks, func(part any) any { return []any{part} })
	assert.Equal(t, map[string]any{
		"a": []any{"x", []any{"y"}}, "b": map[string]any{"c": "z", "new": []any{nil}}, "d": "w", "e": []any{nil},
	}, replaced)
	assert.Equal(t, map[string]any{"a": []any{"x", "y"}, "b": map[string]any{"c": "z"}, "d": "w"}, value, "the function must not modify its input")
}

func TestString(t *testing.T) {
	t.Parallel()

	assert.Empty(t, jsonvalue.String(nil))
	assert.Equal(t, "x", jsonvalue.String("x"))
	assert.Equal(t, "12345678", jsonvalue.String(12345678.0))
	assert.Equal(t, "1.50", jsonvalue.String(json.Number("1.50")))
}

func TestRewrite(t *testing.T) {
	t.Parallel()

	value := map[string]any{"a": []any{"x", map[string]any{"b": "y"}}, "kept": map[string]any{"b": "z"}}
	rewritten := jsonvalue.Rewrite(value, func(name string, part any) (any, bool) {
		switch {
		case name == "kept":
			return part, true
		case name == "b":
			return []any{"x"}, false
		case part == "x":
			return 1, false
		}
		return part, false
	})
	assert.Equal(t, map[string]any{"a": []any{1, map[string]any{"b": []any{1}}}, "kept": map[string]any{"b": "z"}}, rewritten)
	assert.Equal(t, "x", value["a"].([]any)[0], "the function must not modify its input") //nolint:forcetypeassert // it is above
}
