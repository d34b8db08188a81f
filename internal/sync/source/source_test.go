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
		"":          `"" is not a source: it must be live, live:NAME, file:PATH, tf:DIR, code:DIR or plan:FILE`,
		"state:.":   `"state:." is not a source: it must be live, live:NAME, file:PATH, tf:DIR, code:DIR or plan:FILE`,
		"live:":     `"live:" is not a source: there is nothing after the colon`,
		"file":      `"file" is not a source: it needs a path, such as file:snapshot.json`,
		"a.json":    `"a.json" is not a source: it must be live, live:NAME, file:PATH, tf:DIR, code:DIR or plan:FILE`,
		"tf":        `"tf" is not a source: it needs a path, such as tf:.`,
		"plan:":     `"plan:" is not a source: there is nothing after the colon`,
		"Live:prod": `"Live:prod" is not a source: it must be live, live:NAME, file:PATH, tf:DIR, code:DIR or plan:FILE`,
	} {
		_, err := Parse(text)
		assert.EqualError(t, err, complaint)
	}
}
