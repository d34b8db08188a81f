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
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// jsonAttributes lists the attributes of a survey and its questions that contain JSON.
var jsonAttributes = []string{"conditions", "appearance", "translations", "form_content", "targeting_flag_filters", "extra"}

// planned evaluates a resource's arguments like a plan.
func planned(t *testing.T, f *Source, block *hclsyntax.Block) map[string]any {
	t.Helper()
	scope := &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: map[string]function.Function{
		"jsonencode": stdlib.JSONEncodeFunc, "merge": stdlib.MergeFunc, "concat": stdlib.ConcatFunc, "upper": stdlib.UpperFunc,
		"chomp": stdlib.ChompFunc, "trimspace": stdlib.TrimSpaceFunc,
		"file":                         stdlib.UpperFunc,
		"provider::posthog::question":  nested(func(q any) any { return q }),
		"provider::posthog::questions": nested(withPlaces),
		"provider::ph::questions":      nested(withPlaces),
	}}
	vars, locals := map[string]cty.Value{}, map[string]cty.Value{}
	for _, one := range blocksOf(t, f) {
		switch one.Type {
		case "variable":
			value, diags := one.Body.Attributes["default"].Expr.Value(nil)
			require.False(t, diags.HasErrors(), diags.Error())
			vars[one.Labels[0]] = value
		case "locals":
			for name, attribute := range one.Body.Attributes {
				value, diags := attribute.Expr.Value(scope)
				require.False(t, diags.HasErrors(), diags.Error())
				locals[name] = value
			}
		}
	}
	scope.Variables["var"], scope.Variables["local"] = cty.ObjectVal(vars), cty.ObjectVal(locals)

	values := map[string]any{}
	for name, attribute := range block.Body.Attributes {
		value, diags := attribute.Expr.Value(scope)
		require.False(t, diags.HasErrors(), diags.Error())
		values[name] = plain(value)
	}
	return typed(values)
}

// blocksOf returns the blocks in all parts of a file.
func blocksOf(t require.TestingT, f *Source) (blocks []*hclsyntax.Block) {
	for _, part := range f.parts {
		require.NoError(t, part.parse())
		blocks = append(blocks, part.body.Blocks...)
	}
	return blocks
}

// edited returns the file with all edits.
func edited(t require.TestingT, f *Source) []byte {
	_, after, err := f.Bytes()
	require.NoError(t, err)
	return after
}

// nested returns a function with one argument of any type.
func nested(do func(any) any) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "of", Type: cty.DynamicPseudoType}},
		Type:   function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			text, err := json.Marshal(do(plain(args[0])))
			if err != nil {
				return cty.NilVal, err
			}
			typ, err := ctyjson.ImpliedType(text)
			if err != nil {
				return cty.NilVal, err
			}
			return ctyjson.Unmarshal(text, typ)
		},
	})
}

// withPlaces replaces names with positions.
func withPlaces(list any) any {
	places := map[any]int{}
	for i, one := range list.([]any) {
		if name := object(one)["name"]; name != nil {
			places[name] = i
		}
	}

	for _, one := range list.([]any) {
		q := object(one)
		delete(q, "name")

		b := object(q["branching"])
		if target := b["question"]; target != nil {
			delete(b, "question")
			b["index"] = json.Number(strconv.Itoa(places[target]))
		}

		for response, target := range object(b["response_values"]) {
			if place, ok := places[target]; ok {
				object(b["response_values"])[response] = strconv.Itoa(place)
			}
		}
	}

	return list
}

func plain(value cty.Value) any {
	text, err := ctyjson.SimpleJSONValue{Value: value}.MarshalJSON()
	if err != nil {
		panic(err)
	}
	return decode(jsonvalue.Text(text))
}

// typed marks JSON in arguments.
func typed(values map[string]any) map[string]any {
	for name, value := range values {
		if text, ok := value.(string); ok && slices.Contains(jsonAttributes, name) {
			values[name] = jsonvalue.Text(text)
		}
		if list, ok := value.([]any); ok && name == "questions" {
			for _, one := range list {
				typed(object(one))
				targets := object(object(object(one)["branching"])["response_values"])
				for key, target := range targets {
					targets[key] = fmt.Sprint(target) // a map of strings
				}
			}
		}
	}
	return values
}

// patched applies a patch to values. The patch contains decoded JSON. Each of its questions is either the ID of a
// question that is kept, or a patch of a question.
func patched(values, patch map[string]any) map[string]any {
	if values = maps.Clone(values); values == nil {
		values = map[string]any{}
	}

	for name, to := range patch {
		now := values[name]

		switch {
		case to == nil:
			delete(values, name)
		case name == "questions":
			if list, ok := to.([]any); ok {
				values[name] = patchedQuestions(now, list)
			}
		case slices.Contains(jsonAttributes, name):
			text, err := json.Marshal(patchedKeys(decode(now), to))
			if err != nil {
				panic(err)
			}
			values[name] = jsonvalue.Text(text)
		default:
			values[name] = patchedKeys(now, to)
		}
	}

	return values
}

func patchedKeys(now, to any) any {
	patch, ok := to.(map[string]any)
	if !ok {
		return to
	}
	keys := maps.Clone(object(now))
	if keys == nil {
		keys = map[string]any{}
	}
	for name, value := range patch {
		if keys[name] = patchedKeys(keys[name], value); value == nil {
			delete(keys, name)
		}
	}
	return keys
}

func patchedQuestions(now any, to []any) []any {
	list, _ := now.([]any)
	byID := map[any]map[string]any{}
	for _, one := range list {
		byID[object(one)["id"]] = object(one)
	}
	questions := []any{}
	for _, one := range to {
		if id, ok := one.(string); ok {
			questions = append(questions, byID[id])
			continue
		}
		questions = append(questions, patched(byID[object(one)["id"]], object(one)))
	}
	return questions
}

// identifyCode assigns the same IDs to configured questions as a plan.
func identifyCode(code map[string]any, lists ...map[string]any) {
	questions, _ := code["questions"].([]any)
	taken := map[any]bool{}

	take := func(fits func(q, known map[string]any) bool) {
		for _, one := range questions {
			q := object(one)
			for _, list := range lists {
				known, _ := list["questions"].([]any)
				for _, k := range known {
					if id := object(k)["id"]; q["id"] == nil && !taken[id] && fits(q, object(k)) {
						q["id"], taken[id] = id, true
					}
				}
			}
		}
	}

	take(func(q, k map[string]any) bool {
		return jsonvalue.Equal(q["type"], k["type"]) && jsonvalue.Equal(q["question"], k["question"])
	})
	take(func(q, k map[string]any) bool { return jsonvalue.Equal(q["type"], k["type"]) })

	for i, one := range questions {
		if object(one)["id"] == nil {
			object(one)["id"] = string(rune('a' + i))
		}
	}
}

// keepNothing changes the live survey in ways that the provider ignores: whitespace around names and descriptions,
// and values that questions omit.
func keepNothing(code, live map[string]any) {
	for _, name := range []string{"name", "description"} {
		text, _ := code[name].(string)
		if held, ok := live[name].(string); ok && strings.TrimSpace(held) == strings.TrimSpace(text) {
			code[name] = held
		}
	}
	questions, _ := code["questions"].([]any)
	held, _ := live["questions"].([]any)
	for _, one := range questions {
		for _, other := range held {
			for name, value := range object(other) {
				if object(one)["id"] == object(other)["id"] && object(one)[name] == nil && jsonvalue.IsEmpty(value) {
					object(one)[name] = value
				}
			}
		}
	}
}

// source returns a test file with the test's line endings.
func source(text []byte, crlf bool) []byte {
	if crlf {
		return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	return text
}
