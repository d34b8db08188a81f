package tfpolicy

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
)

// parseLocals are the local values of blocks, of which there may be a number at most; 0 for
// any number.
func parseLocals(blocks hcl.Blocks, most int) (map[string]hcl.Expression, error) {
	if most > 0 && len(blocks) > most {
		return nil, fmt.Errorf("%s: one locals block is enough", blocks[most].DefRange)
	}
	locals := map[string]hcl.Expression{}
	for _, block := range blocks {
		attributes, diags := block.Body.JustAttributes()
		if diags.HasErrors() {
			return nil, diags
		}
		for name, attribute := range attributes {
			if locals[name] != nil {
				return nil, fmt.Errorf("%s: local.%s is defined twice", attribute.Range, name)
			}
			locals[name] = attribute.Expr
		}
	}
	return locals, nil
}
