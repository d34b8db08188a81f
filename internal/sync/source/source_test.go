package source

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"live", "live:production", "file:a.json", "tf:.", "code:infra/x", "plan:C:\\plan"} {
		s, err := Parse(text)
		require.NoError(t, err)
		assert.Equal(t, text, s.String())
	}
	for text, complaint := range map[string]string{
		"":          `unknown source "". Use live, live:NAME, file:PATH, tf:DIR, code:DIR, or plan:FILE`,
		"state:.":   `unknown source "state:.". Use live, live:NAME, file:PATH, tf:DIR, code:DIR, or plan:FILE`,
		"live:":     `source "live:" is incomplete. Add a value after the colon`,
		"file":      `source "file" requires a path, such as file:snapshot.json`,
		"a.json":    `unknown source "a.json". Use live, live:NAME, file:PATH, tf:DIR, code:DIR, or plan:FILE`,
		"tf":        `source "tf" requires a path, such as tf:.`,
		"plan:":     `source "plan:" is incomplete. Add a value after the colon`,
		"Live:prod": `unknown source "Live:prod". Use live, live:NAME, file:PATH, tf:DIR, code:DIR, or plan:FILE`,
	} {
		_, err := Parse(text)
		assert.EqualError(t, err, complaint)
	}
}
