// Package wiretest decodes JSON in tests. The server must not import it.
package wiretest

import (
	"testing"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Decode returns the value of a text, and ends the test if the text is not JSON.
func Decode(t testing.TB, text string) wire.Value {
	t.Helper()
	v, err := wire.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
