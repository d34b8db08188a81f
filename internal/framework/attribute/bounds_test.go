package attribute_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

func TestBoundsOfTexts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of          validator.String
		text, wants string
	}{
		"one":             {attribute.OneOf("a", "b"), "b", ""},
		"neither":         {attribute.OneOf("a", "b"), "x", `limits.size is "x". Use a or b.`},
		"none of three":   {attribute.OneOf("draft", "running", "completed"), "live", `limits.size is "live". Use draft, running, or completed.`},
		"nearest":         {attribute.OneOf("draft", "running", "completed"), "runnin", `limits.size is "runnin". Use draft, running, or completed. Did you mean running?`},
		"alone":           {attribute.OneOf("auto"), "single", `limits.size is "single". Use auto.`},
		"long enough":     {attribute.LengthAtMost(3), "äöü", ""},
		"one letter more": {attribute.LengthAtMost(3), "äöüß", "limits.size has 4 characters. It can have at most 3."},
	} {
		var resp validator.StringResponse
		c.of.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("limits").AtName("size"), ConfigValue: types.StringValue(c.text)}, &resp)
		if c.wants == "" {
			assert.Empty(t, resp.Diagnostics, name)
			continue
		}
		require.Len(t, resp.Diagnostics, 1, name)
		assert.Equal(t, "Invalid size", resp.Diagnostics[0].Summary(), name)
		assert.Equal(t, c.wants, resp.Diagnostics[0].Detail(), name)
	}
}

func TestBoundsOfNumbers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of    validator.Int64
		value types.Int64
		wants string
	}{
		"least":      {attribute.Between(2, 5), types.Int64Value(2), ""},
		"most":       {attribute.Between(2, 5), types.Int64Value(5), ""},
		"below":      {attribute.Between(2, 5), types.Int64Value(1), "limit is 1. Use a number from 2 to 5."},
		"above":      {attribute.Between(2, 5), types.Int64Value(6), "limit is 6. Use a number from 2 to 5."},
		"at least":   {attribute.AtLeast(1), types.Int64Value(1), ""},
		"too little": {attribute.AtLeast(1), types.Int64Value(0), "limit is 0. Use 1 or more."},
		"null":       {attribute.AtLeast(1), types.Int64Null(), ""},
		"unknown":    {attribute.Between(2, 5), types.Int64Unknown(), ""},
	} {
		var resp validator.Int64Response
		c.of.ValidateInt64(t.Context(), validator.Int64Request{Path: path.Root("limit"), ConfigValue: c.value}, &resp)
		if c.wants == "" {
			assert.Empty(t, resp.Diagnostics, name)
			continue
		}
		require.Len(t, resp.Diagnostics, 1, name)
		assert.Equal(t, "Invalid limit", resp.Diagnostics[0].Summary(), name)
		assert.Equal(t, c.wants, resp.Diagnostics[0].Detail(), name)
	}
}
