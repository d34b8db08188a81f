package attribute

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// TypeMismatch is a value that the type of its attribute cannot hold, such as 1.5 for a
// whole number: for Terraform itself all numbers are of one type. It does not carry the
// value, which may be sensitive.
type TypeMismatch struct {
	// Path is where the value is.
	Path path.Path
	// Type is the type that cannot hold it.
	Type attr.Type
}

// TypeMismatches returns the values that a type cannot hold, each as deep inside of the
// whole as can be determined.
func TypeMismatches(ctx context.Context, raw tftypes.Value, of attr.Type) []TypeMismatch {
	return typeMismatches(ctx, raw, of, path.Empty())
}

func typeMismatches(ctx context.Context, raw tftypes.Value, of attr.Type, at path.Path) []TypeMismatch {
	if _, err := of.ValueFromTerraform(ctx, raw); err == nil {
		return nil
	}

	var inside []TypeMismatch
	switch typ := of.(type) {
	case attr.TypeWithAttributeTypes:
		inside = attributeMismatches(ctx, raw, typ.AttributeTypes(), at)
	case attr.TypeWithElementType:
		inside = elementMismatches(ctx, raw, typ.ElementType(), at)
	}
	if inside == nil {
		return []TypeMismatch{{Path: at, Type: of}}
	}
	return inside
}

func attributeMismatches(ctx context.Context, raw tftypes.Value, of map[string]attr.Type, at path.Path) []TypeMismatch {
	var values map[string]tftypes.Value
	if raw.As(&values) != nil {
		return nil
	}

	var found []TypeMismatch
	for name, typ := range of {
		if value, ok := values[name]; ok {
			found = append(found, typeMismatches(ctx, value, typ, at.AtName(name))...)
		}
	}

	slices.SortFunc(found, func(a, b TypeMismatch) int { return strings.Compare(a.Path.String(), b.Path.String()) })
	return found
}

// elementMismatches looks at the elements of a list. A set or a map is the mismatch as a
// whole: an element of a set has no path but its value.
func elementMismatches(ctx context.Context, raw tftypes.Value, of attr.Type, at path.Path) []TypeMismatch {
	var values []tftypes.Value
	if !raw.Type().Is(tftypes.List{}) || raw.As(&values) != nil {
		return nil
	}

	var found []TypeMismatch
	for i, value := range values {
		found = append(found, typeMismatches(ctx, value, of, at.AtListIndex(i))...)
	}
	return found
}

// Diagnostic returns the error for the user. It names the attribute and never the value.
func (m TypeMismatch) Diagnostic() diag.Diagnostic {
	name := m.Path.String()
	if name == "" {
		name = "The value"
	}

	if m.Type.Equal(basetypes.Int64Type{}) {
		return diag.NewAttributeErrorDiagnostic(m.Path, "Not a whole number",
			name+" must be a whole number of at most 64 bits, but it has a fraction or is too large. "+
				"Round the result of a division with floor() or ceil().")
	}

	return diag.NewAttributeErrorDiagnostic(m.Path, "Wrong value type",
		name+" must be of type "+m.Type.String()+".")
}

// TerraformPath converts a path to that of the protocol.
func TerraformPath(at path.Path) *tftypes.AttributePath {
	out := tftypes.NewAttributePath()

	for _, step := range at.Steps() {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			out = out.WithAttributeName(string(step))
		case path.PathStepElementKeyInt:
			out = out.WithElementKeyInt(int(step))
		case path.PathStepElementKeyString:
			out = out.WithElementKeyString(string(step))
		}
	}

	return out
}
