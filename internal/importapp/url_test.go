package importapp

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

func TestSameURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		prior, configured string
		same              bool
	}{
		{"https://a/b", "https://a/b", true},
		{"https://a/b", "https://a/b?token=x", true},
		{"https://a/b?token=x", "https://a/b?token=x", true},
		{"https://a/b?token=x", "https://a/b?token=y", false},
		{"https://a/b?token=x", "https://a/b", false},
		{"https://a/b", "https://a/c", false},
		{"https://a/b", "https://a/b/?token=x", false},
	} {
		assert.Equal(t, c.same, sameURL(c.prior, c.configured), "%s ~ %s", c.prior, c.configured)
	}
}

func TestURLFromAPI(t *testing.T) {
	t.Parallel()

	with, without := types.StringValue("https://a/b?ref=x"), types.StringValue("https://a/b")

	for _, c := range []struct{ answered, prior, want types.String }{
		{without, with, with},
		{without, without, without},
		{without, types.StringNull(), without},
		{without, types.StringUnknown(), without},
		{with, with, with},
		{types.StringNull(), with, types.StringNull()},
		{types.StringValue("https://a/c"), with, types.StringValue("https://a/c")},
		{types.StringUnknown(), with, with},
	} {
		var field nullable.Nullable[string]
		switch {
		case c.answered.IsNull():
			field.SetNull()
		case !c.answered.IsUnknown():
			field.Set(c.answered.ValueString())
		}

		assert.Equal(t, c.want, urlFromAPI(&attribute.Response{}, field, c.prior), "%s, %s", c.answered, c.prior)
	}
}

func TestInstalledType(t *testing.T) {
	t.Parallel()
	assert.Equal(t, types.StringValue("local"), installedType("file:/plugins/orders"))
	assert.Equal(t, types.StringValue("custom"), installedType("https://github.com/example/orders"))
}
