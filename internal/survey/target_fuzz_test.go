package survey

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// FuzzTarget takes any text as a response value, first as a configuration writes it, and then as PostHog returns it.
// Both keep type and value.
func FuzzTarget(f *testing.F) {
	for _, seed := range []string{"end", "2", `"2"`, "null", `""`, "", " 3", "end ", "-0", "1e3", `{"x":1}`, "[]", "true", `"end"`, `\u0032`, "\u2028", "<&>"} {
		f.Add(seed)
	}

	f.Fuzz(func(t *testing.T, word string) {
		if !utf8.ValidString(word) {
			return // Terraform strings are always valid UTF-8
		}

		sent := targetToAPI(word)
		if !json.Valid(sent) {
			t.Fatalf("%q is sent as %s, which is not valid JSON", word, sent)
		}

		read := targetFromAPI(sent)
		if back := targetToAPI(read); !attribute.SameJSON(string(back), string(sent)) {
			t.Fatalf("%q is sent as %s and read as %q, but then sent as %s", word, sent, read, back)
		}

		if isWord := !json.Valid([]byte(word)) && word != ""; isWord && read != word {
			t.Fatalf("the word %q is read as %q", word, read)
		}

		if json.Valid([]byte(word)) {
			if read := targetFromAPI(json.RawMessage(word)); !attribute.SameJSON(string(targetToAPI(read)), word) {
				t.Fatalf("%s is read as %q, but sent as %s", word, read, targetToAPI(read))
			}
		}
	})
}
