package hcledit

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// render writes a value as an expression whose first line begins behind indent. Order
// is that of the keys of objects; others follow it by name.
func (f *File) render(value any, indent string, order []string) string {
	formatted := string(hclwrite.Format(tokensOf(value, order).Bytes()))
	lines := strings.Split(strings.TrimRight(formatted, "\n"), "\n")
	for i, line := range lines[1:] {
		text := strings.TrimLeft(line, " ")
		level := (len(line) - len(text)) / len("  ")
		lines[i+1] = indent + strings.Repeat(f.unit, level) + text
	}
	return strings.Join(lines, f.newline)
}

// tokensOf are the tokens of a value, unformatted. There is no heredoc among them: it
// would not fit everywhere.
func tokensOf(value any, order []string) hclwrite.Tokens {
	switch value := value.(type) {
	case jsonvalue.Text:
		return hclfile.JSON(string(value), hclfile.Quoted)
	case []any:
		elements := make([]hclwrite.Tokens, len(value))
		for i := range value {
			elements[i] = tokensOf(value[i], order)
		}
		if slices.ContainsFunc(value, isNested) {
			return hclfile.ListOf(elements)
		}
		return hclwrite.TokensForTuple(elements)
	case map[string]any:
		var entries []hclfile.Entry
		for _, key := range sortedBy(order, slices.Collect(maps.Keys(value))) {
			if value[key] != nil {
				entries = append(entries, hclfile.Entry{Key: key, Tokens: tokensOf(value[key], nil)})
			}
		}
		return hclfile.ObjectOf(entries)
	}
	return hclfile.Literal(scalar(value), hclfile.Quoted)
}

func isNested(value any) bool {
	switch value.(type) {
	case []any, map[string]any, jsonvalue.Text:
		return true
	}
	return false
}

func scalar(value any) cty.Value {
	switch value := value.(type) {
	case string:
		return cty.StringVal(value)
	case bool:
		return cty.BoolVal(value)
	case json.Number:
		if number, err := cty.ParseNumberVal(value.String()); err == nil {
			return number
		}
		return cty.StringVal(value.String())
	}
	return cty.NullVal(cty.DynamicPseudoType)
}

// sortedBy sorts names by their positions in an order, and then by name.
func sortedBy(order, names []string) []string {
	slices.Sort(names)
	position := func(name string) int {
		if i := slices.Index(order, name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(names, func(a, b string) int { return position(a) - position(b) })
	return names
}

// indented is a JSON text over several lines, for a heredoc.
func indented(text jsonvalue.Text) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", "  ") != nil {
		return string(text)
	}
	return b.String() + "\n"
}
