package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire/wiretest"
)

// FuzzDecode compares the parts of a value with the result of encoding/json.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `{"a":1}`, `{"a":{"b":[{},[],"}"]},"c\"\\":"\\\"","d":-1.5e+3,"e":null,"f":true}`, `[1,"a,]",[[]],{"x":{}},false]`,
		`{"a":1,"a":2}`, ` [ 1 , { "k" : "v" } ] `, `{"é\u00e9":"\ud83d\ude00"}`, `"x"`, `5`, `{"":""}`, `{"a" : [ ] }`, ``, `{`, `nul`, "\"\xff\"",
	} {
		f.Add(seed)
	}

	f.Fuzz(func(t *testing.T, text string) {
		v, err := wire.Decode([]byte(text))
		if !json.Valid([]byte(text)) {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		checkParts(t, v)
	})
}

// checkParts compares the spelling of a value with its parts.
func checkParts(t *testing.T, v wire.Value) {
	t.Helper()
	switch {
	case v.IsObject():
		var want map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(v.JSON(), &want))
		require.Len(t, v.Members(), len(want))
		for _, m := range v.Members() {
			require.Equal(t, string(want[m.Name]), m.Spelling())
			require.Equal(t, m.Value, v.Get(m.Name))
			checkParts(t, m.Value)
		}
	case v.IsArray():
		var want []json.RawMessage
		require.NoError(t, json.Unmarshal(v.JSON(), &want))
		require.Len(t, v.Items(), len(want))
		for i, item := range v.Items() {
			require.Equal(t, string(want[i]), item.Spelling())
			checkParts(t, item)
		}
	case v.IsText():
		var want string
		require.NoError(t, json.Unmarshal(v.JSON(), &want))
		require.Equal(t, want, v.Text())
		require.Equal(t, want, wire.NewText(want).Text())
	}
}

func TestDecodeKeepsSpelling(t *testing.T) {
	t.Parallel()

	v := wiretest.Decode(t, ` { "b" : 1.50, "a" : [ 1e3 , "\u00e9" ], "b": 9007199254740993 } `)
	assert.Equal(t, `{"b":1.50,"a":[1e3,"\u00e9"],"b":9007199254740993}`, v.Spelling())
	assert.Equal(t, "9007199254740993", v.Get("b").Spelling(), "the last of two members with one name")
	assert.Equal(t, "b", v.Members()[0].Name, "in its first place")
	assert.Equal(t, 2, v.Len())
	assert.Equal(t, "é", v.Get("a").Items()[1].Text())
	assert.True(t, v.Get("c").IsAbsent())
	assert.True(t, v.Clone().Equals(v))
}

//nolint:paralleltest // It counts allocations, which other tests add to.
func TestDecodeAllocatesNoParts(t *testing.T) {
	text := []byte("[" + strings.Repeat(`{"id":"a","choices":["b","c"]},`, 1000) + `{"last":{"id":1}}]`)
	var v wire.Value
	allocations := testing.AllocsPerRun(10, func() { v, _ = wire.Decode(text) })
	assert.Less(t, allocations, 20.0, "allocations to decode 1,000 objects")

	object := v.Items()[1000]
	assert.Zero(t, testing.AllocsPerRun(10, func() { object.Get("last").Get("id") }), "allocations to read a member")
}

func TestChangesLeaveTheValue(t *testing.T) {
	t.Parallel()

	v := wiretest.Decode(t, `{"a":1,"b":[2]}`)
	assert.Equal(t, `{"a":"x","b":[2]}`, v.With("a", wire.NewText("x")).Spelling(), "in its place")
	assert.Equal(t, `{"a":1,"b":[2],"c":null}`, v.With("c", wire.Value{}).Spelling(), "at the end")
	assert.Equal(t, `{"b":[2]}`, v.Without("a").Spelling())
	assert.Equal(t, `{"a":1}`, wire.Value{}.With("a", wire.NewInt(1)).Spelling())

	v.Members()[0].Value, v.Get("b").Items()[0] = wire.Null, wire.Null
	assert.Equal(t, "1", v.Get("a").Spelling())
	assert.Equal(t, "2", v.Get("b").Items()[0].Spelling())
}

func TestOfEncodes(t *testing.T) {
	t.Parallel()

	for want, v := range map[string]any{
		`7`: int64(7), `8`: 8, `true`: true, `"<a>&\""`: `<a>&"`, `{"a":[1]}`: map[string]any{"a": []int{1}}, `null`: make(chan int),
		`[1]`: wire.NewArray(wire.NewInt(1)), `{"v":{"b":2,"a":1}}`: struct {
			V wire.Value `json:"v"`
			W wire.Value `json:"w,omitzero"`
		}{V: wiretest.Decode(t, `{"b":2,"a":1}`)},
	} {
		assert.Equal(t, want, wire.Of(v).Spelling())
	}
	assert.Equal(t, "null", wire.Of(wire.Value{}).Spelling())

	var read struct{ A, B wire.Value }
	require.NoError(t, json.Unmarshal([]byte(`{"a":{"x":[1]},"b":null}`), &read))
	assert.Equal(t, 1, read.A.Get("x").Len())
	assert.True(t, read.B.IsNull() && !read.B.IsAbsent())
}

func TestTypesOfValues(t *testing.T) {
	t.Parallel()

	for _, row := range []struct {
		json, python, kind string
		isTruthy           bool
		number             float64
		isNumber           bool
		whole              int64
		isWhole            bool
	}{
		{json: `null`, python: "NoneType", kind: "null"},
		{json: `{}`, python: "dict", kind: "an object"},
		{json: `{"a":1}`, python: "dict", kind: "an object", isTruthy: true},
		{json: `[]`, python: "list", kind: "an array"},
		{json: `[0]`, python: "list", kind: "an array", isTruthy: true},
		{json: `""`, python: "str", kind: "a string"},
		{json: `" 5 "`, python: "str", kind: "a string", isTruthy: true, whole: 5, isWhole: true},
		{json: `"5.0"`, python: "str", kind: "a string", isTruthy: true},
		{json: `true`, python: "bool", kind: "a boolean", isTruthy: true, number: 1, isNumber: true, whole: 1, isWhole: true},
		{json: `false`, python: "bool", kind: "a boolean", isNumber: true, isWhole: true},
		{json: `0`, python: "int", kind: "a number", isNumber: true, isWhole: true},
		{json: `0.0`, python: "float", kind: "a number", isNumber: true, isWhole: true},
		{json: `-2.9`, python: "float", kind: "a number", isTruthy: true, number: -2.9, isNumber: true, whole: -2, isWhole: true},
		{json: `1e30`, python: "float", kind: "a number", isTruthy: true, number: 1e30, isNumber: true},
		{json: `-1E30`, python: "float", kind: "a number", isTruthy: true, number: -1e30, isNumber: true},
	} {
		v := wiretest.Decode(t, row.json)
		assert.Equal(t, row.python, v.Type(), row.json)
		assert.Equal(t, row.kind, wire.KindWithArticle(v), row.json)
		assert.Equal(t, row.kind == "a number", v.IsNumber(), row.json)
		assert.Equal(t, row.isTruthy, v.IsTruthy(), row.json)
		number, isNumber := v.Number()
		assert.Equal(t, row.isNumber, isNumber, row.json)
		assert.InDelta(t, row.number, number, 1e-9, row.json)
		whole, isWhole := v.Int()
		assert.Equal(t, row.isWhole, isWhole, row.json)
		assert.Equal(t, row.whole, whole, row.json)
	}
	assert.False(t, wire.Value{}.IsTruthy())
	assert.Equal(t, int64(-7), wire.NewInt(-7).Integer())
	assert.Zero(t, wiretest.Decode(t, `"7"`).Integer())
}

func TestHoldsNUL(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]bool{
		`"a"`: false, `"\u0000"`: true, `[1,["\u0000"]]`: true, `{"a\u0000":1}`: true, `{"a":{"b":"\u0000"}}`: true, `{"a":["b",null]}`: false,
	} {
		assert.Equal(t, want, wiretest.Decode(t, text).HoldsNUL(), text)
	}
}

func TestJSONBSortsKeys(t *testing.T) {
	t.Parallel()

	assert.Equal(t, `{"a":1.50,"b":[{"c":"x","aa":null}],"aa":{}}`,
		wire.JSONB(wiretest.Decode(t, `{"aa":{},"b":[{"aa":null,"c":"x"}],"a":1.50}`)).Spelling())
	assert.Equal(t, `"x"`, wire.JSONB(wire.NewText("x")).Spelling())
}
