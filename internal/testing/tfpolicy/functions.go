package tfpolicy

import (
	"strings"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions are those of the documented list that the policies call. All of them are in
// tfpolicy 0.2 already.
var functions = map[string]function.Function{
	"core::contains":   stdlib.ContainsFunc,
	"core::distinct":   stdlib.DistinctFunc,
	"core::flatten":    stdlib.FlattenFunc,
	"core::join":       stdlib.JoinFunc,
	"core::jsondecode": stdlib.JSONDecodeFunc,
	"core::keys":       stdlib.KeysFunc,
	"core::length":     stdlib.LengthFunc,
	"core::startswith": startsWith,
	"core::try":        tryfunc.TryFunc,
}

// startsWith is a function that Terraform has, and the library of its functions has not.
var startsWith = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "string", Type: cty.String}, {Name: "prefix", Type: cty.String}},
	Type:   function.StaticReturnType(cty.Bool),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		return cty.BoolVal(strings.HasPrefix(args[0].AsString(), args[1].AsString())), nil
	},
})
