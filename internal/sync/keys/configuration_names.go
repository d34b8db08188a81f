package keys

import (
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclsource"
)

// ConfigurationNames are what a configuration calls the questions of surveys, by the address
// of the resource: the attribute name in the argument of the function questions.
type ConfigurationNames map[string][]namedQuestion

// namedQuestion is a question of a configuration; a text is empty when it is no literal.
type namedQuestion struct{ name, text string }

// ReadConfigurationNames reads the names of the root module in a directory. A file that does
// not parse has none: the side that was read is a state, which does not depend on it.
func ReadConfigurationNames(dir string) (ConfigurationNames, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}

	names := ConfigurationNames{}
	for _, entry := range entries {
		if entry.IsDir() || !hclsource.IsConfiguration(entry.Name()) || hclsource.IsJSON(entry.Name()) {
			continue
		}
		source, err := hclsource.Read(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		file, diags := hclsyntax.ParseConfig(source, entry.Name(), hcl.InitialPos)
		if diags.HasErrors() {
			continue
		}
		if body, ok := file.Body.(*hclsyntax.Body); ok {
			names.add(body)
		}
	}
	return names, nil
}

// add adds the names of the resources in a file.
func (n ConfigurationNames) add(body *hclsyntax.Body) {
	for _, block := range body.Blocks {
		if block.Type != "resource" || len(block.Labels) != 2 || block.Labels[0] != "posthog_survey" {
			continue
		}
		attribute := block.Body.Attributes["questions"]
		if attribute == nil {
			continue
		}
		call, ok := attribute.Expr.(*hclsyntax.FunctionCallExpr)
		if !ok || call.Name != "provider::posthog::questions" || len(call.Args) != 1 {
			continue
		}
		if list, ok := call.Args[0].(*hclsyntax.TupleConsExpr); ok {
			n["posthog_survey."+block.Labels[1]] = namesIn(list)
		}
	}
}

// namesIn are the names in a list of questions.
func namesIn(list *hclsyntax.TupleConsExpr) []namedQuestion {
	questions := make([]namedQuestion, len(list.Exprs))
	for i, element := range list.Exprs {
		object, ok := element.(*hclsyntax.ObjectConsExpr)
		if !ok {
			continue
		}
		for _, item := range object.Items {
			switch hcl.ExprAsKeyword(item.KeyExpr) {
			case "name":
				questions[i].name = literalText(item.ValueExpr)
			case "question":
				questions[i].text = literalText(item.ValueExpr)
			}
		}
	}
	return questions
}

// literalText is the text of a literal; empty for every other expression.
func literalText(expression hclsyntax.Expression) string {
	value, diags := expression.Value(nil)
	if diags.HasErrors() || value.IsNull() || !value.IsKnown() || !value.Type().Equals(cty.String) {
		return ""
	}
	return value.AsString()
}

// give gives the questions of a resource their names. Those of a configuration that was edited
// since the apply may be others: a literal text decides, and without one the place.
func (n ConfigurationNames) give(address string, questions []Question) {
	list := n[address]
	for i := range questions {
		for place, named := range list {
			isSame := named.text == questions[i].Text
			if named.text == "" {
				isSame = place == i && len(list) == len(questions)
			}
			if isSame {
				questions[i].given = named.name
				break
			}
		}
	}
}
