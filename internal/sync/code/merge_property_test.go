package code

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// For any edit of a survey with literals, in any style: after the merge, the configuration equals PostHog, everything
// else is unchanged, and a second merge does nothing.
func TestMergeWritesWhatIsLive(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		applied := drawSurvey(rt)
		live := drawEdits(rt, applied)
		w := writer{rt: rt, newline: rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "newline")}
		text := []byte(w.block(applied))
		if w.is("formatted") {
			text = format(text)
		}

		file, err := ParseSource("main.tf", text)
		require.NoError(rt, err, "%s", text)
		part, block := file.Resource("posthog_survey", "s")
		inCode := planned(t, file, block)
		identifyCode(inCode, applied)
		require.True(rt, jsonvalue.Equal(inCode, applied), "the written configuration does not have the applied values:\n%s\n%v\n%v", text, inCode, applied)

		findings := part.Merge(block, Versions{applied, inCode, live}, Order("posthog_survey"), Identities{})
		edited := edited(rt, file)
		for _, finding := range findings {
			require.Equal(rt, Edited, finding.Outcome, "%+v\n%s", finding, text)
		}

		again, err := ParseSource("main.tf", edited)
		require.NoError(rt, err)
		partAgain, block := again.Resource("posthog_survey", "s")
		inCode = planned(t, again, block)
		identifyCode(inCode, live, applied)
		keepNothing(inCode, live)
		require.True(rt, jsonvalue.Equal(inCode, live), "before:\n%s\nafter:\n%s\nlive: %v", text, edited, live)
		require.Empty(rt, partAgain.Merge(block, Versions{applied, inCode, live}, nil, Identities{}))
		require.False(rt, again.IsChanged())
		requireUntouched(rt, file, again, findings)
		if isFormatted(text) {
			require.True(rt, isFormatted(edited), "before:\n%s\nafter:\n%s\nformatted:\n%s", text, edited, format(edited))
		}
	})
}

// requireUntouched requires that the comments, the source outside of the block, and the source of each argument
// without a finding are unchanged.
func requireUntouched(t require.TestingT, fileBefore, fileAfter *Source, findings []Finding) {
	before, was := fileBefore.Resource("posthog_survey", "s")
	after, is := fileAfter.Resource("posthog_survey", "s")
	require.Equal(t, string(before.source[:was.OpenBraceRange.End.Byte]), string(after.source[:is.OpenBraceRange.End.Byte]))
	require.Equal(t, string(before.source[was.CloseBraceRange.Start.Byte:]), string(after.source[is.CloseBraceRange.Start.Byte:]))
	for name, attribute := range was.Body.Attributes {
		isNamed := slices.ContainsFunc(findings, func(f Finding) bool {
			return f.Attribute == name || strings.HasPrefix(f.Attribute, name+".") || strings.HasPrefix(f.Attribute, name+"[")
		})
		if !isNamed {
			require.Equal(t, before.text(nodeSpan(attribute.Expr)), after.text(nodeSpan(is.Body.Attributes[name].Expr)))
			if !isFormatted(before.source) { // otherwise, the equals sign may have moved
				require.Equal(t, before.text(nodeSpan(attribute)), after.text(nodeSpan(is.Body.Attributes[name])))
			}
		}
	}
	for i := range 10 {
		if comment := fmt.Sprintf("# line %d", i); bytes.Contains(before.source, []byte(comment)) {
			require.Contains(t, string(after.source), comment)
		}
	}
}

var drawText = rapid.SampledFrom([]string{"", "a", "Why?", "é", "${x}", "%{if}", `say "hi"`, `a\b`, "two\nlines", "ends\n", "end", "1"})

func drawSurvey(t *rapid.T) map[string]any {
	values := map[string]any{"name": "NPS", "type": "popover"}
	if rapid.Bool().Draw(t, "described") {
		values["description"] = drawText.Draw(t, "description")
	}
	if rapid.Bool().Draw(t, "limited") {
		values["responses_limit"] = json.Number(strconv.Itoa(rapid.IntRange(0, 500).Draw(t, "limit")))
	}
	if rapid.Bool().Draw(t, "styled") {
		values["appearance"] = drawJSON(t)
	}
	if rapid.Bool().Draw(t, "asks") {
		questions := []any{}
		for i := range rapid.IntRange(0, 5).Draw(t, "questions") {
			questions = append(questions, drawQuestion(t, string(rune('a'+i))))
		}
		values["questions"] = questions
	}
	return values
}

func drawQuestion(t *rapid.T, id string) map[string]any {
	// The text makes the question unique. Package identity has tests for similar questions.
	q := map[string]any{"id": id, "type": "single_choice", "question": id + " " + drawText.Draw(t, "question")}
	if rapid.Bool().Draw(t, "has choices") {
		choices := []any{}
		for range rapid.IntRange(1, 4).Draw(t, "choices") {
			choices = append(choices, drawText.Draw(t, "choice"))
		}
		q["choices"] = choices
	}
	if rapid.Bool().Draw(t, "optional") {
		q["optional"] = true
	}
	return q
}

func drawJSON(t *rapid.T) jsonvalue.Text {
	keys := map[string]any{}
	for _, key := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b", "c-d", "e f", "for", "null"}), rapid.ID).Draw(t, "keys") {
		keys[key] = rapid.OneOf(rapid.Just[any](true), rapid.Just[any](json.Number("-3")), rapid.Just[any](map[string]any{"x": "y"}),
			rapid.Just[any]([]any{"p", json.Number("2"), map[string]any{"q": "r"}}), rapid.Map(drawText, func(s string) any { return s })).Draw(t, "value")
	}
	text, err := json.Marshal(keys)
	if err != nil {
		t.Fatal(err)
	}
	return jsonvalue.Text(text)
}

// drawEdits returns a survey after a teammate's edits.
func drawEdits(t *rapid.T, applied map[string]any) map[string]any {
	live := drawSurvey(t)
	questions, _ := applied["questions"].([]any)

	if _, asks := live["questions"]; asks && questions != nil {
		kept := []any{}

		for _, i := range rapid.Permutation(indexes(len(questions))).Draw(t, "order") {
			q := maps.Clone(object(questions[i]))
			switch rapid.IntRange(0, 4).Draw(t, "edit") {
			case 0:
				continue
			case 1:
				q = drawQuestion(t, q["id"].(string))
			}
			kept = append(kept, q)
		}

		if rapid.Bool().Draw(t, "new") {
			kept = slices.Insert(kept, rapid.IntRange(0, len(kept)).Draw(t, "at"), any(drawQuestion(t, "n")))
		}
		live["questions"] = kept
	}

	return live
}

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// writer writes values in the style of hand-written configuration.
type writer struct {
	rt      *rapid.T
	newline string
	lines   int
}

func (w *writer) is(what string) bool { return rapid.Bool().Draw(w.rt, what) }

func (w *writer) block(values map[string]any) string {
	var b strings.Builder
	b.WriteString("# top" + w.newline + `resource "posthog_survey" "s" { # open` + w.newline)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if w.is("blank line") {
			b.WriteString(w.newline)
		}
		if w.is("comment") {
			fmt.Fprintf(&b, "  # line %d%s", w.lines, w.newline)
			w.lines++
		}
		b.WriteString("  " + name + " = " + w.value(values[name], "  ") + w.newline)
	}
	b.WriteString("} # close" + w.newline)
	return b.String()
}

func (w *writer) value(value any, indent string) string {
	switch value := value.(type) {
	case jsonvalue.Text:
		return "jsonencode(" + w.value(decode(value), indent) + ")"
	case map[string]any:
		var entries []string
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if key != "id" {
				entries = append(entries, string(keyTokens(key).Bytes())+rapid.SampledFrom([]string{" = ", "=", " : "}).Draw(w.rt, "sign")+w.value(value[key], indent+"  "))
			}
		}
		return w.collection("{", "}", entries, indent, true)
	case []any:
		var entries []string
		for _, one := range value {
			entries = append(entries, w.value(one, indent+"  "))
		}
		return w.collection("[", "]", entries, indent, false)
	case json.Number:
		return value.String()
	case bool:
		return strconv.FormatBool(value)
	}
	return string(Literal(value, Quoted, nil).Bytes())
}

func (w *writer) collection(open, end string, entries []string, indent string, isObject bool) string {
	if w.is("one line") {
		return open + rapid.SampledFrom([]string{"", " "}).Draw(w.rt, "blank") + strings.Join(entries, ", ") + " " + end
	}

	commas := !isObject || w.is("commas")
	var b strings.Builder
	b.WriteString(open + w.newline)

	for i, entry := range entries {
		if w.is("apart") {
			b.WriteString(w.newline)
		}

		if w.is("own comment") {
			b.WriteString(indent + "  " + rapid.SampledFrom([]string{"# own", "// own", "/* own */", "/* o" + w.newline + "wn */"}).Draw(w.rt, "kind") + w.newline)
		}

		b.WriteString(indent + "  " + entry)
		if commas && (i < len(entries)-1 || w.is("trailing comma")) {
			b.WriteString(",")
		}

		if w.is("trailing comment") {
			b.WriteString(" # trailing")
		}
		b.WriteString(w.newline)
	}

	return b.String() + indent + end
}

// FuzzMerge merges any values into any file. The result must be valid.
func FuzzMerge(f *testing.F) {
	for _, seed := range []string{
		`resource "posthog_survey" "s" { name = "x" }`,
		"resource \"posthog_survey\" \"s\" {\n  questions = [{ question = <<EOT\nx\nEOT\n}, {a=1}, # c\n local.x]\n}\n",
		"resource \"posthog_survey\" \"s\" {\r\n\tappearance = jsonencode({ (a) = 1, b : [1, 2,], \"c\" = null /* x */\n})\r\n}",
	} {
		f.Add([]byte(seed), []byte(`{"name": "y", "questions": [{"id": "a", "question": "z"}, {"id": "n"}], "appearance": {"b": [2]}}`), []byte(`{}`))
	}

	f.Fuzz(func(t *testing.T, text, liveText, appliedText []byte) {
		file, err := ParseSource("main.tf", text)
		if err != nil || len(blocksOf(t, file)) == 0 || !json.Valid(liveText) || !json.Valid(appliedText) {
			return
		}

		part := file.parts[slices.IndexFunc(file.parts, func(part *SourceFile) bool { return len(part.body.Blocks) > 0 })]
		block := part.body.Blocks[0]
		inCode := map[string]any{}
		for name, attribute := range block.Body.Attributes {
			inCode[name] = guess(attribute.Expr)
		}

		live, applied := typed(patched(nil, object(decode(jsonvalue.Text(liveText))))), inCode
		if len(appliedText) > len("{}") {
			applied = typed(patched(nil, object(decode(jsonvalue.Text(appliedText)))))
		}

		part.Merge(block, Versions{applied, inCode, live}, Order("posthog_survey"), Identities{})
		edited := edited(t, file)
		if !file.IsChanged() {
			require.Equal(t, string(text), string(edited))
		}
	})
}

// guess returns the value of an expression that has no references.
func guess(expr hclsyntax.Expression) any {
	if argument := callArgument(expr, functionJSON); argument != nil {
		text, err := json.Marshal(guess(argument))
		if err != nil {
			return nil
		}
		return jsonvalue.Text(text)
	}

	switch expr := unparen(expr).(type) {
	case *hclsyntax.TupleConsExpr:
		list := []any{}
		for i, one := range expr.Exprs {
			element := guess(one)
			if object(element) != nil && object(element)["id"] == nil {
				object(element)["id"] = string(rune('a' + i))
			}
			list = append(list, element)
		}
		return list
	case *hclsyntax.ObjectConsExpr:
		keys := map[string]any{}
		for _, item := range expr.Items {
			if name, ok := literalKey(item.KeyExpr); ok {
				keys[name] = guess(item.ValueExpr)
			}
		}
		return keys
	}

	if value, diags := expr.Value(&hcl.EvalContext{}); !diags.HasErrors() && value.IsWhollyKnown() {
		return plain(value)
	}
	return "unknown"
}
