package terraform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// FuzzJSONEqual compares the provider's JSON equality, which decides whether values were lost or changed, with an
// exact implementation. Both must agree, and all notations of a value must be equal.
func FuzzJSONEqual(f *testing.F) {
	for _, pair := range [][2]string{
		{`{"a":1,"b":[]}`, `{ "b" : [ ], "a" : 1.0 }`}, {`{"a":null}`, `{}`}, {`[]`, `{}`}, {`0`, `-0`}, {`1e3`, `1000`}, {`0.1`, `0.10`},
		{`9007199254740993`, `9007199254740992`}, {`"a"`, `"\u0061"`}, {`"é"`, `"e\u0301"`}, {`[1,2]`, `[2,1]`}, {`null`, `"null"`}, {`{"a":1,"a":2}`, `{"a":2}`},
	} {
		f.Add(pair[0], pair[1])
	}

	for _, seed := range seeds {
		f.Add(seed, seed)
	}

	f.Fuzz(func(t *testing.T, a, b string) {
		x, okX := meaning(a)
		y, okY := meaning(b)
		if !okX || !okY {
			return
		}

		if same := attribute.SameJSON(a, b); same != (x == y) || same != attribute.SameJSON(b, a) {
			t.Fatalf("SameJSON is %v, but %v with its arguments exchanged:\n%s\n%s", same, attribute.SameJSON(b, a), a, b)
		}

		var indented bytes.Buffer
		if err := json.Indent(&indented, []byte(a), "", "\t"); err != nil {
			t.Fatal(err)
		}

		line := attribute.JSON([]byte(a)).ValueString()
		for _, spelled := range []string{a, indented.String(), line} {
			if !attribute.SameJSON(a, spelled) {
				t.Fatalf("%s\nis not the same as\n%s", a, spelled)
			}
		}

		if again := attribute.JSON([]byte(line)).ValueString(); again != line {
			t.Fatalf("the canonical text %s changes to %s", line, again)
		}
	})
}

// meaning returns JSON in a canonical notation, in which equal values have equal texts. It returns false for invalid
// JSON, and for numbers with more digits than a survey can contain.
func meaning(text string) (string, bool) {
	if !json.Valid([]byte(text)) {
		return "", false
	}
	v, err := jsonvalue.Decode(text)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	ok := spell(&b, v)
	return b.String(), ok
}

func spell(b *strings.Builder, v any) bool {
	ok := true

	switch v := v.(type) {
	case map[string]any:
		b.WriteString("{")
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(strconv.Quote(key))
			ok = spell(b, v[key]) && ok
		}
		b.WriteString("}")
	case []any:
		b.WriteString("[")
		for _, one := range v {
			ok = spell(b, one) && ok
		}
		b.WriteString("]")
	case json.Number:
		number, fits := decimal(v.String())
		b.WriteString(number)
		return fits
	case string:
		b.WriteString(strconv.Quote(v))
	default:
		fmt.Fprintf(b, "(%v)", v)
	}

	return ok
}

// decimal returns a number's digits without leading and trailing zeros, and its power of ten.
func decimal(number string) (string, bool) {
	const mostDigits, mostExponent = 500, 5000

	mantissa, power, _ := strings.Cut(strings.ToLower(number), "e")
	exponent := 0
	if power != "" {
		parsed, err := strconv.Atoi(power)
		if err != nil {
			return "", false
		}
		exponent = parsed
	}

	mantissa, isNegative := strings.CutPrefix(mantissa, "-")
	wholes, fraction, _ := strings.Cut(mantissa, ".")

	digits := strings.TrimLeft(wholes+fraction, "0")
	exponent -= len(fraction)
	short := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(short)

	switch {
	case short == "":
		return "(0)", true
	case isNegative:
		short = "-" + short
	}

	return fmt.Sprintf("(%se%d)", short, exponent), len(short) <= mostDigits && max(exponent, -exponent) <= mostExponent
}
