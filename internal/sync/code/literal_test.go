package code_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// evaluate formats tokens as the argument of a block, parses them, and evaluates them.
func evaluate(t testing.TB, tokens hclwrite.Tokens) cty.Value {
	t.Helper()
	file := hclwrite.NewEmptyFile()
	body := file.Body().AppendNewBlock("resource", []string{"a", "b"}).Body()
	body.SetAttributeRaw("value", tokens)
	body.SetAttributeRaw("after", hclwrite.TokensForIdentifier("true"))
	source := file.Bytes()
	require.Equal(t, string(hclwrite.Format(source)), string(source), "the text must already be formatted")

	parsed, diags := hclsyntax.ParseConfig(source, "test.tf", hcl.InitialPos)
	require.False(t, diags.HasErrors(), "%s in\n%s", diags, source)
	block := parsed.Body.(*hclsyntax.Body).Blocks[0].Body
	require.Contains(t, block.Attributes, "after", "%s", source)
	value, diags := block.Attributes["value"].Expr.Value(&hcl.EvalContext{
		Functions: map[string]function.Function{"jsonencode": stdlib.JSONEncodeFunc},
	})
	require.False(t, diags.HasErrors(), "%s in\n%s", diags, source)
	return value
}

var hardTexts = []string{
	"", " ", "plain", "${why}", "%{if}", "$${why}", "%%{if}", "$$${a}", "$", "%", "$$", "${", "%{", "a$\n{b}\nc\n", `\"`, `\`, `"`, "\t", "\r\n",
	"line\nline", "line\nline\n", "\n", "\n\n", "\n\n\n", "a\n\nb\n", "  a\n  b\n", "  a\nb\n", "a \nb\n", "a\tb\nc\n", "\ta\nb\n", "a\r\nb\r\n",
	"EOT\nEOT\n", "a\n  EOT\nEOT2\n", "<<EOT\na\nEOT\n", "a\n${b}\n%{c}\n$${d}\n", "a\n\\n\n", "\ufeffa\nb\n", "a\ufeff", "e\u0301\nb\n", "\u2028\u2029",
	"\u00a0a\n\u00a0b\n", "a\u00a0\nb\n", "\U0001F600\n\U0001F600\n", "\u200b\n\u200b\n", "\u007f", "\x01", "a\x01\nb\n", "中文\n中文\n", "for", "null", "/*\n*/\n", "#\n//\n", "a\n \nb\n", " \n \n",
}

func FuzzText(f *testing.F) {
	for _, text := range hardTexts {
		f.Add(text, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, depth uint8) {
		text = strings.ToValidUTF8(text, "")
		require.Equal(t, cty.StringVal(text), evaluate(t, code.Text(text, int(depth%8))))
	})
}

func TestHeredocs(t *testing.T) {
	t.Parallel()
	for text, heredoc := range map[string]bool{
		"a\nb\n": true, "a\n  ${b}\n": true, "EOT\na\n": true, "a\n\nb\n": true, "<p>\n  text\n</p>\n": true,
		"a\nb": false, "a\n": false, "a \nb\n": false, "a\r\nb\r\n": false, "  a\n  b\n": false, "a\tb\nc\n": false, "a\u200bb\nc\n": false,
	} {
		require.Equal(t, heredoc, strings.HasPrefix(string(code.Text(text, 1).Bytes()), "<<-"), "%q", text)
	}
}

func FuzzJSON(f *testing.F) {
	for _, text := range hardTexts {
		quoted, err := json.Marshal(map[string]any{text: text, "for": []string{text, text}})
		require.NoError(f, err)
		f.Add(string(quoted))
	}

	for _, text := range []string{
		`{"a":1e400,"b":-0,"c":0.1,"d":-1.50,"e":9007199254740993,"f":1E-30}`, `[]`, `{}`, `null`, `true`, `3`, `"a"`, `[[],{},null]`,
		`[{"for":1,"if":2},{"a b":{"c":[]}}]`, `{"é":1,"é":2}`, `{"a":0.1234567890123456789012345678901234567890123456789012345678901234567890}`,
		`["` + strings.Repeat("x", 100) + `"]`, `[1,[2]]`, `[null,1]`,
	} {
		f.Add(text)
	}

	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}

		text = cty.NormalizeString(attribute.JSON(json.RawMessage(text)).ValueString())
		got := evaluate(t, code.JSON(text, 2))
		require.True(t, attribute.SameJSON(text, got.AsString()), "%s became %s", text, got.AsString())
	})
}

func TestJSONIsReadable(t *testing.T) {
	t.Parallel()
	got := hclwrite.Format(code.JSON(`{"url":"https://example.com","events":{"values":[{"name":"a"},{"name":"b"}]},"deviceTypes":["Mobile","Desktop"],"none":{},"n":-1.5,"a b":null}`, 1).Bytes())
	require.Equal(t, `jsonencode({
  "a b"       = null
  deviceTypes = ["Mobile", "Desktop"]
  events = {
    values = [
      {
        name = "a"
      },
      {
        name = "b"
      },
    ]
  }
  n    = -1.5
  none = {}
  url  = "https://example.com"
})`, string(got))
}
