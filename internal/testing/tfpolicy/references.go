package tfpolicy

import (
	"fmt"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// references checks what expressions refer to: each attribute is one of the schema, also in
// loops and where try would take its absence for a missing value.
type references struct {
	// visible are the names that expressions may begin with, with their types.
	visible map[string]cty.Type
	locals  map[string]hcl.Expression
	// known are the types of locals. A local whose type is being found has none.
	known map[string]cty.Type
	diags hcl.Diagnostics
}

func newReferences(visible map[string]cty.Type, locals map[string]hcl.Expression) *references {
	return &references{visible: visible, locals: locals, known: map[string]cty.Type{}}
}

// checkLocals checks every local, used or not.
func (r *references) checkLocals() error {
	for name, one := range r.locals {
		r.localType(name, one.Range())
	}
	return r.err()
}

// check checks an expression.
func (r *references) check(expr hcl.Expression) error {
	r.typeOf(expr, r.visible)
	return r.err()
}

func (r *references) err() error {
	if r.diags.HasErrors() {
		return r.diags
	}
	return nil
}

func (r *references) refuse(where hcl.Range, format string, args ...any) cty.Type {
	r.diags = append(r.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Invalid expression", Detail: fmt.Sprintf(format, args...), Subject: &where})
	return cty.DynamicPseudoType
}

// typeOf is the type of an expression, as far as it follows from the schema. Where it does
// not, it is dynamic, and any attribute of it is right.
func (r *references) typeOf(expr hcl.Expression, visible map[string]cty.Type) cty.Type {
	switch e := expr.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return r.traversed(e.Traversal, visible)
	case *hclsyntax.RelativeTraversalExpr:
		return r.steps(r.typeOf(e.Source, visible), e.Traversal)

	case *hclsyntax.FunctionCallExpr:
		return r.call(e, visible)
	case *hclsyntax.ForExpr:
		return r.loop(e, visible)

	case *hclsyntax.ConditionalExpr:
		r.typeOf(e.Condition, visible)
		r.typeOf(e.FalseResult, visible)
		return r.typeOf(e.TrueResult, visible)
	case *hclsyntax.IndexExpr:
		r.typeOf(e.Key, visible)
		return elementOf(r.typeOf(e.Collection, visible))

	case *hclsyntax.TupleConsExpr:
		return r.tuple(e, visible)
	case *hclsyntax.ObjectConsExpr:
		return r.object(e, visible)

	case *hclsyntax.TemplateExpr:
		for _, part := range e.Parts {
			r.typeOf(part, visible)
		}
		return cty.String
	case *hclsyntax.TemplateWrapExpr:
		return r.typeOf(e.Wrapped, visible)
	case *hclsyntax.ParenthesesExpr:
		return r.typeOf(e.Expression, visible)

	case *hclsyntax.BinaryOpExpr:
		r.typeOf(e.LHS, visible)
		r.typeOf(e.RHS, visible)
		return e.Op.Type
	case *hclsyntax.UnaryOpExpr:
		r.typeOf(e.Val, visible)
		return e.Op.Type

	case *hclsyntax.LiteralValueExpr:
		return e.Val.Type()
	}
	return r.refuse(expr.Range(), "%T is not covered", expr)
}

// tuple is the type of a list in brackets.
func (r *references) tuple(e *hclsyntax.TupleConsExpr, visible map[string]cty.Type) cty.Type {
	types := make([]cty.Type, len(e.Exprs))
	for i, one := range e.Exprs {
		types[i] = r.typeOf(one, visible)
	}
	return cty.Tuple(types)
}

// object is the type of an object in braces.
func (r *references) object(e *hclsyntax.ObjectConsExpr, visible map[string]cty.Type) cty.Type {
	types := map[string]cty.Type{}
	for _, item := range e.Items {
		types[hcl.ExprAsKeyword(item.KeyExpr)] = r.typeOf(item.ValueExpr, visible)
	}

	if _, computed := types[""]; computed {
		return r.refuse(e.SrcRange, "computed keys of objects are not covered")
	}
	return cty.Object(types)
}

// traversed is what a name leads to, such as attrs.status.
func (r *references) traversed(traversal hcl.Traversal, visible map[string]cty.Type) cty.Type {
	where := traversal.SourceRange()
	if traversal.RootName() == "local" {
		if len(traversal) < 2 {
			return r.refuse(where, "local is not a value")
		}
		step, ok := traversal[1].(hcl.TraverseAttr)
		if !ok {
			return r.refuse(where, "a local is named by an attribute")
		}
		return r.steps(r.localType(step.Name, where), traversal[2:])
	}

	typ, ok := visible[traversal.RootName()]
	if !ok {
		return r.refuse(where, "%s is not defined", traversal.RootName())
	}
	return r.steps(typ, traversal[1:])
}

// localType is the type of a local value, which is checked when it is first met.
func (r *references) localType(name string, where hcl.Range) cty.Type {
	if typ, met := r.known[name]; met {
		if typ == cty.NilType {
			return r.refuse(where, "local.%s refers to itself", name)
		}
		return typ
	}
	expr, ok := r.locals[name]
	if !ok {
		return r.refuse(where, "local.%s is not defined", name)
	}
	r.known[name] = cty.NilType
	r.known[name] = r.typeOf(expr, r.visible)
	return r.known[name]
}

// steps is what is left of a type after the steps of a traversal.
func (r *references) steps(typ cty.Type, traversal hcl.Traversal) cty.Type {
	for _, step := range traversal {
		attribute, named := step.(hcl.TraverseAttr)
		switch {
		case typ == cty.DynamicPseudoType:
		case named && typ.IsObjectType() && typ.HasAttribute(attribute.Name):
			typ = typ.AttributeType(attribute.Name)
		case named && !typ.IsMapType():
			return r.refuse(step.SourceRange(), "a value of type %s has no attribute %s", typ.FriendlyName(), attribute.Name)
		default:
			typ = elementOf(typ)
		}
	}
	return typ
}

// call is the result of a function.
func (r *references) call(e *hclsyntax.FunctionCallExpr, visible map[string]cty.Type) cty.Type {
	if _, ok := functions[e.Name]; !ok {
		r.refuse(e.NameRange, "there is no function %s, or it is not covered", e.Name)
	}
	types := make([]cty.Type, len(e.Args))
	for i, one := range e.Args {
		types[i] = r.typeOf(one, visible)
	}
	if e.Name == "core::try" && len(types) > 0 {
		return types[0]
	}
	return cty.DynamicPseudoType
}

// loop is the result of a for expression.
func (r *references) loop(e *hclsyntax.ForExpr, visible map[string]cty.Type) cty.Type {
	inside := maps.Clone(visible)
	inside[e.ValVar] = elementOf(r.typeOf(e.CollExpr, visible))
	if e.KeyVar != "" {
		inside[e.KeyVar] = cty.DynamicPseudoType
	}
	if e.CondExpr != nil {
		r.typeOf(e.CondExpr, inside)
	}
	value := r.typeOf(e.ValExpr, inside)
	if e.KeyExpr != nil {
		r.typeOf(e.KeyExpr, inside)
		return cty.Map(value)
	}
	return cty.List(value)
}

// elementOf is the type of the elements, dynamic where they differ.
func elementOf(typ cty.Type) cty.Type {
	if typ.IsCollectionType() {
		return typ.ElementType()
	}
	return cty.DynamicPseudoType
}
