package attribute

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// RefuseNUL adds an error for each text in a configuration that contains the character NUL, including text in an
// attribute's JSON. PostHog's database cannot store NUL. The errors contain no values, because values may be
// sensitive.
func RefuseNUL(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) {
	eachText(config.Raw, path.Empty(), func(p path.Path, text string) {
		for _, location := range nulLocations(ctx, config, p, text) {
			diags.AddAttributeError(p, "Text with the character NUL",
				location+" contains the character NUL (U+0000), which PostHog cannot store. Remove it.")
		}
	})
}

// nulLocations returns the paths of NUL characters in a text: the attribute, or keys in its JSON.
func nulLocations(ctx context.Context, config tfsdk.Config, p path.Path, text string) []string {
	const escaped = `\u0000`
	switch {
	case strings.ContainsRune(text, 0):
		return []string{p.String()}
	case !strings.Contains(text, escaped):
		return nil
	}

	// Only JSON can contain an escaped NUL.
	typ, diags := config.Schema.TypeAtPath(ctx, p)
	value, err := jsonvalue.Decode(text)
	if diags.HasError() || err != nil || !typ.Equal(jsontypes.NormalizedType{}) {
		return nil
	}
	return jsonNULs(jsonvalue.Path{}, p.String(), value)
}

func jsonNULs(p jsonvalue.Path, attribute string, value any) []string {
	switch value := value.(type) {
	case string:
		if strings.ContainsRune(value, 0) {
			return []string{p.Below(attribute)}
		}
	case []any:
		var found []string
		for i, element := range value {
			found = append(found, jsonNULs(append(p, i), attribute, element)...)
		}
		return found
	case map[string]any:
		var found []string
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if strings.ContainsRune(key, 0) {
				found = append(found, append(p, key).Below(attribute))
			}
			found = append(found, jsonNULs(append(p, key), attribute, value[key])...)
		}
		return found
	}
	return nil
}

// eachText visits a value's known texts in path order.
func eachText(value tftypes.Value, p path.Path, visit func(path.Path, string)) {
	if value.IsNull() || !value.IsKnown() {
		return
	}

	var text string
	var members map[string]tftypes.Value
	var elements []tftypes.Value
	switch typ := value.Type(); {
	case value.As(&text) == nil:
		visit(p, text)
	case value.As(&members) == nil:
		below := p.AtName
		if typ.Is(tftypes.Map{}) {
			below = p.AtMapKey
		}
		for _, name := range slices.Sorted(maps.Keys(members)) {
			eachText(members[name], below(name), visit)
		}
	case typ.Is(tftypes.List{}) && value.As(&elements) == nil:
		for i, element := range elements {
			eachText(element, p.AtListIndex(i), visit)
		}
	}
}
