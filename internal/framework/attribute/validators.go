package attribute

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Enumeration contains the known values of an enumerated field in the API schema.
type Enumeration struct {
	valid func(string) bool
	known []string
}

// NewEnumeration returns an enumeration of all values of a generated type.
func NewEnumeration[T interface {
	~string
	Valid() bool
}](constants ...T) Enumeration {
	values := make([]string, len(constants))
	for i, value := range constants {
		values[i] = string(value)
	}

	return Enumeration{valid: func(s string) bool { return T(s).Valid() }, known: values}
}

// Check reports an unknown value in a plan, unless the prior state contains it. A value that PostHog returned is
// always accepted, so that objects from a newer PostHog version can be imported and kept.
func (e Enumeration) Check(p path.Path, value types.String, prior []types.String, diags *diag.Diagnostics) {
	if text := e.Unknown(value, prior); text != "" {
		diags.AddAttributeError(p, fmt.Sprintf("Unknown %s", lastName(p)), p.String()+" "+text)
	}
}

// Unknown describes an unknown value and lists the known ones. It returns "" for a known value, or if the prior state
// contains the value. The text continues a sentence that starts with the attribute's name.
func (e Enumeration) Unknown(value types.String, prior []types.String) string {
	text := value.ValueString()
	if !IsKnown(value) || e.valid(text) || slices.Contains(prior, value) {
		return ""
	}

	message := fmt.Sprintf("is %q. Known values: %s.", text, strings.Join(e.known, ", "))
	if meant, ok := e.meant(text); ok {
		message += fmt.Sprintf(" Did you mean %s?", meant)
	}
	return message
}

// meant returns the value that the user probably meant: the most similar one, or the only one that starts or ends
// with the text. For example, single suggests single_choice.
func (e Enumeration) meant(text string) (string, bool) {
	if meant, ok := Nearest(text, e.known); ok {
		return meant, true
	}

	var longer []string
	for _, value := range e.known {
		if text != "" && (strings.HasPrefix(value, text) || strings.HasSuffix(value, text)) {
			longer = append(longer, value)
		}
	}
	if len(longer) != 1 {
		return "", false
	}
	return longer[0], true
}

// Description implements validator.Describer.
func (e Enumeration) Description(context.Context) string {
	return "usually one of " + strings.Join(e.known, ", ")
}

// MarkdownDescription implements validator.Describer.
func (e Enumeration) MarkdownDescription(ctx context.Context) string { return e.Description(ctx) }

// ValidateString implements validator.String. It only warns of an unknown value, because an object from a newer PostHog
// version may contain it. The title contains the path, because Terraform merges warnings with the same title.
func (e Enumeration) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if text := e.Unknown(req.ConfigValue, nil); text != "" {
		resp.Diagnostics.AddAttributeWarning(req.Path, fmt.Sprintf("Unknown %s: %s is %q", lastName(req.Path), req.Path, req.ConfigValue.ValueString()), req.Path.String()+" "+text)
	}
}

func lastName(p path.Path) string {
	steps := p.Steps()

	if len(steps) == 0 {
		return "value"
	}
	return steps[len(steps)-1].String()
}

// Values returns the known values in the order of the API schema.
func (e Enumeration) Values() []string { return slices.Clone(e.known) }

// check validates values of one type with a function. Null and unknown values are valid.
type check[V attr.Value] struct {
	description string
	of          func(p path.Path, value V) (title, detail string)
}

// Description implements validator.Describer.
func (v check[V]) Description(context.Context) string { return v.description }

// MarkdownDescription implements validator.Describer.
func (v check[V]) MarkdownDescription(context.Context) string { return v.description }

func (v check[V]) validate(p path.Path, value V, diags *diag.Diagnostics) {
	if !IsKnown(value) {
		return
	}
	if title, detail := v.of(p, value); title != "" {
		diags.AddAttributeError(p, title, detail)
	}
}

type (
	textCheck   struct{ check[types.String] }
	numberCheck struct{ check[types.Int64] }
	mapCheck    struct{ check[types.Map] }
	setCheck    struct{ check[types.Set] }
)

// Text returns a validator for strings. validate returns a title and a detail if a string is invalid.
func Text(description string, validate func(p path.Path, value string) (title, detail string)) validator.String {
	return textCheck{check[types.String]{description, func(p path.Path, value types.String) (string, string) { return validate(p, value.ValueString()) }}}
}

// Number is like [Text], for integers.
func Number(description string, validate func(p path.Path, value int64) (title, detail string)) validator.Int64 {
	return numberCheck{check[types.Int64]{description, func(p path.Path, value types.Int64) (string, string) { return validate(p, value.ValueInt64()) }}}
}

// Map is like [Text], for maps.
func Map(description string, validate func(p path.Path, value types.Map) (title, detail string)) validator.Map {
	return mapCheck{check[types.Map]{description, validate}}
}

// Set is like [Text], for sets.
func Set(description string, validate func(p path.Path, value types.Set) (title, detail string)) validator.Set {
	return setCheck{check[types.Set]{description, validate}}
}

// ValidateString implements validator.String.
func (v textCheck) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	v.validate(req.Path, req.ConfigValue, &resp.Diagnostics)
}

// ValidateInt64 implements validator.Int64.
func (v numberCheck) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	v.validate(req.Path, req.ConfigValue, &resp.Diagnostics)
}

// ValidateMap implements validator.Map.
func (v mapCheck) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	v.validate(req.Path, req.ConfigValue, &resp.Diagnostics)
}

// ValidateSet implements validator.Set.
func (v setCheck) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	v.validate(req.Path, req.ConfigValue, &resp.Diagnostics)
}

// JSONObject validates that a string contains a JSON object. It ignores text that is not valid JSON, because the
// attribute's type reports it.
var JSONObject = Text("a JSON object", func(p path.Path, text string) (title, detail string) {
	value, err := jsonvalue.Decode(text)
	if _, ok := value.(map[string]any); err != nil || value == nil || ok {
		return "", ""
	}
	return "Not a JSON object", fmt.Sprintf("%s must be a JSON object, such as jsonencode({ ... }), not %.60s", p, text)
})

// JSONStructure validates that a string contains a JSON object or list. It rejects the JSON text null, because
// omitting the attribute has the same meaning.
var JSONStructure = Text("a JSON object or list", func(p path.Path, text string) (title, detail string) {
	value, err := jsonvalue.Decode(text)
	if err != nil {
		return "", ""
	}
	switch value.(type) {
	case map[string]any, []any:
		return "", ""
	case nil:
		return "JSON null", fmt.Sprintf("%s is the JSON text null. Omit the attribute, or set it to Terraform's null.", p)
	}
	return "Not a JSON object or list",
		fmt.Sprintf("%s must be a JSON object or list, such as jsonencode({ ... }) or jsonencode([ ... ]), not %.60s", p, text)
})

// UUID validates that a string is the ID of an object.
var UUID = Text("a UUID", func(p path.Path, text string) (title, detail string) {
	if uuid.Validate(text) == nil {
		return "", ""
	}
	return "Not a UUID", fmt.Sprintf("%s is %q. Use a UUID, which is the last part of the object's URL in PostHog.", p, text)
})

// Timestamp validates a date and time.
var Timestamp = Text("a date and time such as 2026-01-31T09:00:00Z", func(p path.Path, text string) (title, detail string) {
	_, err := ParseTimestamp(text)
	if err == nil {
		return "", ""
	}
	return "Not a date and time", fmt.Sprintf("%s: %s. Use the RFC 3339 format, with an offset or Z for UTC.", p, err)
})
