package importapp

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
)

func TestParseImportID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]identityModel{
		"5":          {OrganizationID: types.StringValue(""), ID: types.Int64Value(5)},
		"here/5":     {OrganizationID: types.StringValue("here"), ID: types.Int64Value(5)},
		"@current/5": {OrganizationID: types.StringValue("@current"), ID: types.Int64Value(5)},
	} {
		got, ok := parseImportID(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"", "/", "5/", "/5", "here/", "here/there/5", "5/here", "orders", "0", "-5", "+5", "05", "5.0", " 5", "5 ",
		"018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d", "99999999999999999999",
	} {
		_, ok := parseImportID(text)
		assert.False(t, ok, text)
	}
}
