package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// reportOf returns an empty report for each command that has a report.
var reportOf = map[string]func() any{
	"review": func() any { return &reviewReport{} },
}

// knownWords lists the values that affect a report's structure.
var knownWords = []string{
	string(review.Created), string(review.Launched), string(review.Kept), string(review.Edited), string(review.New), string(review.Dropped),
	string(review.Error), string(review.Warning), string(source.Survey), string(source.App),
	string(flow.Rating), string(flow.SingleChoice), string(flow.ResponseBased), string(flow.SpecificQuestion),
	"edited", "left", "conflict", "pending", "question", "type", "end", "0", "1", "3", "negative",
}

// pair fills a report twice: once with hostile texts, and once with harmless texts. Two harmless texts are equal if
// their hostile counterparts are equal.
type pair struct {
	*rapid.T
	harmless map[string]string
}

// text generates a hostile text and its harmless counterpart.
func (p pair) text() (evil, harmless string) {
	if rapid.IntRange(0, 2).Draw(p.T, "word") == 0 {
		word := rapid.SampledFrom(knownWords).Draw(p.T, "value")
		return word, word
	}
	evil = property.Text().Draw(p.T, "text")
	if evil == "" || slices.Contains(knownWords, evil) {
		return evil, evil
	}
	if _, known := p.harmless[evil]; !known {
		p.harmless[evil] = fmt.Sprintf("x%d", len(p.harmless))
		if strings.TrimSpace(escape.Line(evil)) == "" {
			p.harmless[evil] = " "
		}
	}
	return evil, p.harmless[evil]
}

// value generates a JSON value.
func (p pair) value(depth int) (evil, harmless any) {
	switch kind := rapid.IntRange(0, 5).Draw(p.T, "kind"); {
	case kind == 0:
		return nil, nil
	case kind == 1:
		return json.Number("7"), json.Number("7")
	case kind == 2 && depth < 2:
		a, b := p.value(depth + 1)
		return []any{a}, []any{b}
	case kind == 3 && depth < 2:
		evilKey, harmlessKey := p.text()
		a, b := p.value(depth + 1)
		return map[string]any{evilKey: a}, map[string]any{harmlessKey: b}
	}
	evilText, harmlessText := p.text()
	return evilText, harmlessText
}

// fill fills all JSON fields in both reports.
func (p pair) fill(evil, harmless reflect.Value) {
	switch evil.Kind() { //nolint:exhaustive // what no report has fails below
	case reflect.String:
		a, b := p.text()
		if evil.Type() == reflect.TypeFor[json.Number]() {
			a, b = "10", "10" // the reader accepts only numbers
		}
		evil.SetString(a)
		harmless.SetString(b)

	case reflect.Bool:
		isSet := rapid.Bool().Draw(p.T, "flag")
		evil.SetBool(isSet)
		harmless.SetBool(isSet)
	case reflect.Int, reflect.Int64:
		n := rapid.Int64Range(-1, 3).Draw(p.T, "number")
		evil.SetInt(n)
		harmless.SetInt(n)

	case reflect.Pointer:
		if rapid.Bool().Draw(p.T, "given") {
			evil.Set(reflect.New(evil.Type().Elem()))
			harmless.Set(reflect.New(evil.Type().Elem()))
			p.fill(evil.Elem(), harmless.Elem())
		}

	case reflect.Slice:
		n := rapid.IntRange(0, 2).Draw(p.T, "length")
		evil.Set(reflect.MakeSlice(evil.Type(), n, n))
		harmless.Set(reflect.MakeSlice(evil.Type(), n, n))
		for i := range n {
			p.fill(evil.Index(i), harmless.Index(i))
		}

	default:
		p.fillCompound(evil, harmless)
	}
}

func (p pair) fillCompound(evil, harmless reflect.Value) {
	switch evil.Kind() { //nolint:exhaustive // what no report has fails below
	case reflect.Interface:
		if a, b := p.value(0); a != nil {
			evil.Set(reflect.ValueOf(a))
			harmless.Set(reflect.ValueOf(b))
		}
	case reflect.Map:
		evil.Set(reflect.MakeMap(evil.Type()))
		harmless.Set(reflect.MakeMap(evil.Type()))

		if rapid.Bool().Draw(p.T, "key") {
			var pairs [4]reflect.Value // keys, then values
			for i, typ := range []reflect.Type{evil.Type().Key(), evil.Type().Key(), evil.Type().Elem(), evil.Type().Elem()} {
				pairs[i] = reflect.New(typ).Elem()
			}

			p.fill(pairs[0], pairs[1])
			p.fill(pairs[2], pairs[3])
			evil.SetMapIndex(pairs[0], pairs[2])
			harmless.SetMapIndex(pairs[1], pairs[3])
		}
	case reflect.Struct:
		for i := range evil.NumField() {
			if field := evil.Type().Field(i); field.IsExported() && field.Tag.Get("json") != "-" && field.Name != "Finished" {
				p.fill(evil.Field(i), harmless.Field(i))
			}
		}
	default:
		p.Fatalf("no report has a field of this type yet: %s", evil.Type())
	}
}

// page returns a report as a page.
func page(t *rapid.T, r any) string {
	page, err := renderReport(r, formatMarkdown)
	require.NoError(t, err)
	return page
}

// For any texts, a report's page has the same structure as with harmless texts: one row per finding, no link, image,
// or section from a survey, and no command for a CI runner.
func checkHostileReports(t *rapid.T) {
	verbs := slices.Sorted(maps.Keys(reportOf))
	verb := rapid.SampledFrom(verbs).Draw(t, "verb")
	evil, harmless := reportOf[verb](), reportOf[verb]()
	p := pair{t, map[string]string{}}
	p.fill(reflect.ValueOf(evil).Elem(), reflect.ValueOf(harmless).Elem())
	assertHarmless(t, page(t, evil), page(t, harmless))

	name, calmName := p.text()
	drawing := flow.Mermaid([]flow.Question{{Kind: flow.Open, Text: property.Text().Draw(t, "question")}})
	assertHarmless(t, addTitle(name, drawing, toMermaid), addTitle(calmName, drawing, toMermaid))
}

func assertHarmless(t *rapid.T, evil, harmless string) {
	page := property.Render(t, evil)
	for _, element := range []string{"a", "img", "script", "comment"} {
		require.NotContains(t, page.Elements(), element, "%s", evil)
	}
	require.Equal(t, property.Render(t, harmless).Elements(), page.Elements(), "%s\n\n%s", evil, harmless)
	require.Empty(t, page.References(), "%s", evil)
	require.Empty(t, property.Commands(evil), "%s", evil)
}

func TestHostileReports(t *testing.T) {
	t.Parallel()
	rapid.Check(t, checkHostileReports)

	// Text output contains no control sequences for terminals or CI logs.
	rapid.Check(t, func(t *rapid.T) {
		verb := rapid.SampledFrom(slices.Sorted(maps.Keys(reportOf))).Draw(t, "verb")
		evil := reportOf[verb]()
		pair{t, map[string]string{}}.fill(reflect.ValueOf(evil).Elem(), reflect.ValueOf(reportOf[verb]()).Elem())
		for _, format := range []string{formatText, formatJSON} {
			printed, err := renderReport(evil, format)
			require.NoError(t, err)
			assert.Empty(t, property.Commands(printed))
			assert.NotContains(t, printed, "\x1b")
			assert.NotContains(t, printed, "\r")
		}
	})
}

func FuzzReports(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkHostileReports)) }
