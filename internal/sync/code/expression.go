package code

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// unparen returns an expression without the parentheses around it.
func unparen(expr hclsyntax.Expression) hclsyntax.Expression {
	for {
		inner, ok := expr.(*hclsyntax.ParenthesesExpr)
		if !ok {
			return expr
		}
		expr = inner.Expression
	}
}

// callArgument returns the argument if an expression calls the named function with one argument. It
// returns nil for other expressions. The provider may have any local name, so callArgument ignores the
// provider's name.
func callArgument(expr hclsyntax.Expression, name string) hclsyntax.Expression {
	called, ok := unparen(expr).(*hclsyntax.FunctionCallExpr)
	if !ok || len(called.Args) != 1 || called.ExpandFinal {
		return nil
	}
	isIt := called.Name == name
	if provider, function, ok := strings.Cut(strings.TrimPrefix(called.Name, "provider::"), "::"); ok && provider != "" {
		isIt = strings.HasPrefix(called.Name, "provider::") && "provider::"+function == name
	}
	if !isIt {
		return nil
	}
	return called.Args[0]
}

// Functions whose arguments pull edits as if the call did not exist.
const (
	functionJSON      = "jsonencode"
	functionConcat    = "concat"
	functionChomp     = "chomp"
	functionTrim      = "trimspace"
	functionQuestion  = "provider::question"
	functionQuestions = "provider::questions"
)

// isLiteral reports whether an expression is a complete value without references.
func isLiteral(expr hclsyntax.Expression) bool {
	switch expr := unparen(expr).(type) {
	case *hclsyntax.LiteralValueExpr:
		return true
	case *hclsyntax.UnaryOpExpr:
		_, ok := expr.Val.(*hclsyntax.LiteralValueExpr)
		return ok && expr.Op == hclsyntax.OpNegate
	case *hclsyntax.TemplateExpr:
		return areLiteral(expr.Parts)
	case *hclsyntax.TupleConsExpr:
		return areLiteral(expr.Exprs)
	case *hclsyntax.ObjectConsExpr:
		for _, item := range expr.Items {
			if _, ok := literalKey(item.KeyExpr); !ok || !isLiteral(item.ValueExpr) {
				return false
			}
		}
		return true
	case *hclsyntax.FunctionCallExpr:
		for _, name := range []string{functionJSON, functionQuestion, functionQuestions, functionChomp, functionTrim} {
			if argument := callArgument(expr, name); argument != nil {
				return isLiteral(argument)
			}
		}
	}
	return false
}

func areLiteral(exprs []hclsyntax.Expression) bool {
	for _, expr := range exprs {
		if !isLiteral(expr) {
			return false
		}
	}
	return true
}

// literalKey returns an object key in the configuration. ok is false if the key is computed.
func literalKey(expr hclsyntax.Expression) (string, bool) {
	key, ok := expr.(*hclsyntax.ObjectConsKeyExpr)
	if !ok {
		return "", false
	}
	if key.ForceNonLiteral {
		return "", false
	}
	if word := hcl.ExprAsKeyword(key.Wrapped); word != "" {
		return word, true
	}
	return textOfLiteral(key.Wrapped)
}

// textOfLiteral returns the string to which Terraform converts a literal, such as a number or a bool.
func textOfLiteral(expr hclsyntax.Expression) (string, bool) {
	value, err := convert.Convert(valueOfLiteral(expr), cty.String)
	if err != nil || value.IsNull() {
		return "", false
	}
	return value.AsString(), true
}

// literalText returns the text of a string literal. ok is false for other expressions.
func literalText(expr hclsyntax.Expression) (string, bool) {
	value := valueOfLiteral(expr)
	if value.IsNull() || value.Type() != cty.String {
		return "", false
	}
	return value.AsString(), true
}

// valueOfLiteral returns the value of a literal, or null for other expressions.
func valueOfLiteral(expr hclsyntax.Expression) cty.Value {
	if expr != nil && isLiteral(expr) {
		if value, diags := expr.Value(nil); !diags.HasErrors() && value.IsKnown() {
			return value
		}
	}
	return cty.NullVal(cty.DynamicPseudoType)
}

// isNumber reports whether an expression is a number literal.
func isNumber(expr hclsyntax.Expression) bool {
	literal, ok := expr.(*hclsyntax.LiteralValueExpr)
	return ok && literal.Val.Type() == cty.Number
}

// isNumberText reports whether a text has the form to which Terraform converts a whole number.
func isNumberText(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 0 && strconv.Itoa(n) == text
}

// isHeredoc reports whether a template is written as a heredoc.
func (f *SourceFile) isHeredoc(expr hclsyntax.Expression) (*hclsyntax.TemplateExpr, bool) {
	template, ok := expr.(*hclsyntax.TemplateExpr)
	return template, ok && strings.HasPrefix(f.text(nodeSpan(template)), "<<")
}

// evaluates reports whether a literal evaluates to a text.
func evaluates(source, text string) bool {
	expr, diags := hclsyntax.ParseExpression([]byte(source+"\n"), "", hcl.InitialPos)
	if diags.HasErrors() {
		return false
	}
	got, ok := literalText(expr)
	return ok && got == cty.NormalizeString(text)
}

// render writes a value as an expression. indent is the indentation of its first line. It never uses a
// heredoc, because heredocs are not allowed everywhere. order is the order of object keys.
func (f *SourceFile) render(value any, indent string, order []string) string {
	formatted := string(hclwrite.Format(Literal(withoutNulls(value), Quoted, order).Bytes()))
	lines := strings.Split(strings.TrimRight(formatted, "\n"), "\n")
	for i, line := range lines[1:] {
		text := strings.TrimLeft(line, " ")
		level := (len(line) - len(text)) / len("  ")
		lines[i+1] = indent + strings.Repeat(f.unit, level) + text
	}
	return strings.Join(lines, f.newline)
}

// withoutNulls returns a value without the null keys of its objects.
func withoutNulls(value any) any {
	return jsonvalue.Rewrite(value, func(_ string, value any) (any, bool) {
		object, ok := value.(map[string]any)
		if !ok {
			return value, false
		}
		trimmed := maps.Clone(object)
		maps.DeleteFunc(trimmed, func(_ string, member any) bool { return member == nil })
		return trimmed, false
	})
}

// sortByOrder sorts names by their positions in order. Other names follow alphabetically.
func sortByOrder(order, names []string) []string {
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

// indentJSON formats a JSON text on several lines, for a heredoc.
func indentJSON(text jsonvalue.Text) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", "  ") != nil {
		return string(text)
	}
	return b.String() + "\n"
}
