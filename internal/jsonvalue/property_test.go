package jsonvalue_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// There are few keys, so that random objects share some.
var keys = []string{"a", "b", "c.d", ""}

// value draws a value with objects and lists up to a depth.
func value(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		// The first kinds are drawn most often.
		kind := rapid.IntRange(0, 5).Draw(t, "kind")
		switch {
		case kind == 0 && depth > 0:
			return rapid.MapOfN(rapid.SampledFrom(keys), value(depth-1), 0, len(keys)).Draw(t, "object")
		case kind == 1 && depth > 0:
			return rapid.SliceOfN(value(depth-1), 0, 3).Draw(t, "list")
		case kind <= 2:
			return number().Draw(t, "number")
		case kind == 3:
			return rapid.SampledFrom([]string{"", " ", "x", "\u2028<", "ä"}).Draw(t, "text")
		case kind == 4:
			return rapid.Bool().Draw(t, "bool")
		}
		return nil
	})
}

// number draws one of a few values, in one of its notations.
func number() *rapid.Generator[json.Number] {
	return rapid.SampledFrom([]json.Number{
		"0", "-0", "0.0e9", "1", "1.0", "10e-1", "0.01E+2", "-1", "-10E-1", "1.5", "15e-1", "100", "1e2", "1e999999999", "10e999999998", "-1e999999999",
		"1e-999999999999999999999", "0.1e-999999999999999999998", "12345678901234567890.1", "123456789012345678901e-1",
	})
}

// variant draws an equivalent value: with or without nulls in its objects, and with its numbers in another notation.
func variant(t *rapid.T, of any) any {
	switch of := of.(type) {
	case map[string]any:
		other := map[string]any{}
		for key, member := range of {
			if member != nil || rapid.Bool().Draw(t, "keeps null") {
				other[key] = variant(t, member)
			}
		}
		for _, key := range keys {
			if of[key] == nil && rapid.Bool().Draw(t, "adds null") {
				other[key] = nil
			}
		}
		return other

	case []any:
		other := make([]any, len(of))
		for i := range of {
			other[i] = variant(t, of[i])
		}
		return other

	case json.Number:
		digits, exponent, _ := strings.Cut(strings.ToLower(of.String()), "e")
		if !strings.Contains(digits, ".") {
			digits += "."
		}
		if exponent == "" {
			exponent = "0"
		}
		return json.Number(digits + strings.Repeat("0", rapid.IntRange(1, 3).Draw(t, "zeros")) + "E" + exponent)
	}
	return of
}

// pair draws two values: any two, or two equivalent ones.
func pair(t *rapid.T) (a, b any) {
	a = value(3).Draw(t, "a")
	if rapid.Bool().Draw(t, "same meaning") {
		return a, variant(t, a)
	}
	return a, value(3).Draw(t, "b")
}

func TestEqualIsAnEquivalence(t *testing.T) {
	t.Parallel()

	for name, same := range map[string]func(a, b any) bool{"Equal": jsonvalue.Equal, "Identical": jsonvalue.Identical} {
		rapid.Check(t, func(t *rapid.T) {
			a, b := pair(t)
			c := variant(t, b)
			require.True(t, same(a, a), "%s: %v does not equal itself", name, a)
			require.Equal(t, same(a, b), same(b, a), "%s: %v, %v", name, a, b)
			if same(a, b) && same(b, c) {
				require.True(t, same(a, c), "%s: %v, %v, %v", name, a, b, c)
			}
		})
	}
}

func TestEqualSeesMeaning(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		a, b := pair(t)
		require.True(t, jsonvalue.Equal(a, variant(t, a)), "%v", a)
		if jsonvalue.Identical(a, b) {
			require.True(t, jsonvalue.Equal(a, b), "%v, %v", a, b)
		}
		if jsonvalue.Equal(a, b) {
			require.Equal(t, jsonvalue.IsEmpty(a), jsonvalue.IsEmpty(b), "%v, %v", a, b)
			require.Equal(t, canonical(a), canonical(b), "equal values must have the same canonical form")
		} else {
			require.NotEqual(t, canonical(a), canonical(b), "different values must not have the same canonical form")
		}
	})
}

// canonical removes nulls from objects, and writes numbers as digits and exponent. It is a second implementation of
// [jsonvalue.Equal].
func canonical(of any) any {
	switch of := of.(type) {
	case map[string]any:
		kept := map[string]any{}
		for key, member := range of {
			if member != nil {
				kept[key] = canonical(member)
			}
		}
		return kept
	case []any:
		list := make([]any, len(of))
		for i := range of {
			list[i] = canonical(of[i])
		}
		return list
	case json.Number:
		return powerOfTen(of.String())
	}
	return of
}

// powerOfTen shifts a number's decimal point digit by digit, until the mantissa is an integer that is not divisible
// by 10.
func powerOfTen(text string) string {
	mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
	exponent, ok := new(big.Int).SetString(power, 10)
	if !ok {
		exponent = new(big.Int)
	}
	value, _ := new(big.Rat).SetString(mantissa)
	if value.Sign() == 0 {
		return "0"
	}

	ten, one := new(big.Rat).SetInt64(10), big.NewInt(1)
	for !value.IsInt() {
		value.Mul(value, ten)
		exponent.Sub(exponent, one)
	}
	for {
		tenth := new(big.Rat).Quo(value, ten)
		if !tenth.IsInt() {
			return fmt.Sprint(value.Num(), "e", exponent)
		}
		value, exponent = tenth, exponent.Add(exponent, one)
	}
}

func TestDiffIsEmptyIfEqual(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		a, b := pair(t)
		differences, last := 0, ""
		jsonvalue.Diff(a, b, func(path jsonvalue.Path, a, b any) {
			require.False(t, jsonvalue.Equal(a, b), "the diff contains %s, which is %v in both values", path, a)
			require.NotEqual(t, last, fmt.Sprintf("%#v", path), "the diff contains the same path twice")
			last = fmt.Sprintf("%#v", path)
			differences++
		})
		require.Equal(t, jsonvalue.Equal(a, b), differences == 0, "%v, %v", a, b)
	})
}

func TestDiffLeadsFromOneToTheOther(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		a, b := pair(t)
		result := a
		jsonvalue.Diff(a, b, func(path jsonvalue.Path, before, after any) {
			require.True(t, jsonvalue.Equal(before, at(a, path)), "the diff has a wrong value of %s before the change", path)
			require.True(t, jsonvalue.Equal(after, at(b, path)), "the diff has a wrong value of %s after the change", path)
			result = with(result, path, after)
		})
		require.True(t, jsonvalue.Equal(result, b), "applying the diff to %v resulted in %v", a, result)
	})
}

// at returns the part of a value at a path, or nil for a missing key.
func at(whole any, path jsonvalue.Path) any {
	for _, step := range path {
		switch step := step.(type) {
		case int:
			whole = whole.([]any)[step]
		case string:
			whole = whole.(map[string]any)[step]
		}
	}
	return whole
}

// with returns a value with another part at a path.
func with(whole any, path jsonvalue.Path, part any) any {
	if len(path) == 0 {
		return part
	}
	switch step := path[0].(type) {
	case int:
		list := slices.Clone(whole.([]any))
		list[step] = with(list[step], path[1:], part)
		return list
	default:
		object := maps.Clone(whole.(map[string]any))
		object[step.(string)] = with(object[step.(string)], path[1:], part)
		return object
	}
}

func TestDecodeOfWhatWasEncoded(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		before := value(3).Draw(t, "value")
		text, err := json.Marshal(before)
		require.NoError(t, err)

		after, err := jsonvalue.Decode(text)
		require.NoError(t, err)
		require.Equal(t, before, after)
	})
}
