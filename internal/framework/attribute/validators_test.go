package attribute_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

type colour string

func (c colour) Valid() bool { return c == "red" || c == "blue" }

func TestEnumeration(t *testing.T) {
	t.Parallel()

	colours := attribute.NewEnumeration[colour]("red", "blue")
	prior := []types.String{types.StringNull(), types.StringValue("green")}

	for _, fine := range []types.String{types.StringNull(), types.StringUnknown(), types.StringValue("red"), types.StringValue("green")} {
		var diags diag.Diagnostics
		colours.Check(path.Root("colour"), fine, prior, &diags)
		assert.Empty(t, diags, fine)
	}

	for wrong, hint := range map[string]string{"": "", "yellow": "", "Red": " Did you mean red?", "bleu": "", "blu": " Did you mean blue?", "lue": " Did you mean blue?"} {
		var diags diag.Diagnostics
		colours.Check(path.Root("walls").AtListIndex(2).AtName("colour"), types.StringValue(wrong), prior, &diags)

		require.Len(t, diags, 1, wrong)
		assert.Equal(t, "Unknown colour", diags[0].Summary())
		assert.Equal(t, `walls[2].colour is "`+wrong+`". Known values: red, blue.`+hint, diags[0].Detail())
	}
}

func TestJSONStructure(t *testing.T) {
	t.Parallel()

	for text, summary := range map[string]string{
		`{}`: "", `[]`: "", `{"a":1}`: "", ` [ {"a":1} ] `: "", "no JSON": "",
		`null`: "JSON null", ` null `: "JSON null",
		`"text"`: "Not a JSON object or list", `7`: "Not a JSON object or list", `true`: "Not a JSON object or list",
	} {
		var resp validator.StringResponse
		req := validator.StringRequest{Path: path.Root("metrics"), ConfigValue: types.StringValue(text)}
		attribute.JSONStructure.ValidateString(t.Context(), req, &resp)

		if summary == "" {
			assert.Empty(t, resp.Diagnostics, text)
			continue
		}

		require.Len(t, resp.Diagnostics, 1, text)
		assert.Equal(t, summary, resp.Diagnostics[0].Summary(), text)
		assert.Contains(t, resp.Diagnostics[0].Detail(), "metrics", text)
	}

	for _, open := range []types.String{types.StringNull(), types.StringUnknown()} {
		var resp validator.StringResponse
		attribute.JSONStructure.ValidateString(t.Context(), validator.StringRequest{ConfigValue: open}, &resp)
		assert.Empty(t, resp.Diagnostics)
	}
}
