package protocol

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
)

// The error of a text that is no JSON says where and why, and does not repeat the text.
func TestInvalidJSONHasAPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\"secret\": 1,}":                "the comma before the closing bracket in line 1, column 14 has nothing after it: remove it",
		"{\n  \"secret\": [1, 2,\n  ]\n}": "the comma before the closing bracket in line 3, column 3 has nothing after it",
		"{\"secret\" 1}":                  "line 1, column 11: invalid character '1' after object key",
		"{\"é\": \"secret\" x}":           "line 1, column 16: invalid character 'x'",
		"{secret: 1}":                     "line 1, column 2: invalid character 's'",
		"{\"secret\":":                    "the text ends too early",
		"{\"secret\": 1} x":               "line 1, column 15: invalid character 'x' after top-level value",
		" ":                               "the text is empty",
	} {
		d := &tfprotov6.Diagnostic{
			Summary: invalidJSON, Detail: "A string value was provided that is not valid JSON string format (RFC 7159).\n\nGiven Value: " + text + "\n",
			Attribute: tftypes.NewAttributePath().WithAttributeName("questions").WithElementKeyInt(1).WithAttributeName("extra"),
		}
		placeInvalidJSON([]*tfprotov6.Diagnostic{d})
		assert.Equal(t, "Invalid JSON", d.Summary)
		assert.Contains(t, d.Detail, "questions[1].extra is not valid JSON: "+want, text)
		assert.NotContains(t, d.Detail, "secret", text)
		assert.NotContains(t, d.Detail, "RFC")
	}

	other := &tfprotov6.Diagnostic{Summary: "Another", Detail: "Given Value: {"}
	placeInvalidJSON([]*tfprotov6.Diagnostic{other})
	assert.Equal(t, "Given Value: {", other.Detail)
}
