package tfpolicy

import (
	"github.com/hashicorp/hcl/v2"
)

// Enforce is a condition of a policy. The messages may be nil.
type Enforce struct {
	Condition, ErrorMessage, InfoMessage hcl.Expression
}

var enforceSchema = &hcl.BodySchema{Attributes: []hcl.AttributeSchema{
	{Name: "condition", Required: true}, {Name: "error_message"}, {Name: "info_message"},
}}

func parseEnforce(block *hcl.Block) (Enforce, error) {
	content, diags := block.Body.Content(enforceSchema)
	if diags.HasErrors() {
		return Enforce{}, diags
	}
	return Enforce{
		Condition:    content.Attributes["condition"].Expr,
		ErrorMessage: expression(content, "error_message"),
		InfoMessage:  expression(content, "info_message"),
	}, nil
}

// expressions are all of the block.
func (e Enforce) expressions() []hcl.Expression {
	all := []hcl.Expression{e.Condition}
	for _, message := range []hcl.Expression{e.ErrorMessage, e.InfoMessage} {
		if message != nil {
			all = append(all, message)
		}
	}
	return all
}
