package code

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// For any characters in keys and texts, the output is formatted like the output of terraform fmt.
func TestTextIsFormatted(t *testing.T) {
	t.Parallel()
	text := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("a$%{}\u0301\ua670\ua670\"\\<")), rapid.Rune()))

	rapid.Check(t, func(r *rapid.T) {
		raw, err := json.Marshal(rapid.MapOf(text, text).Draw(r, "object"))
		if err != nil {
			r.Fatal(err)
		}
		file := hclwrite.NewEmptyFile()
		body := file.Body().AppendNewBlock("resource", []string{"posthog_survey", "a"}).Body()
		body.SetAttributeRaw("conditions", JSON(string(raw), topLevel))
		body.SetAttributeRaw("x", Text(text.Draw(r, "text"), topLevel))

		written := file.Bytes()
		assert.Equal(r, string(hclwrite.Format(written)), string(written))
	})
}
