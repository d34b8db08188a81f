package attribute_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

func TestSentIn(t *testing.T) {
	t.Parallel()
	sent := attribute.SentIn(map[string]any{"name": "x", "tag": nil})
	for name, want := range map[string]bool{"name": true, "name/0": true, "tag": true, "icon": false, "": false} {
		assert.Equal(t, want, sent(name), name)
	}
	assert.False(t, attribute.SentIn("no object")("name"))
}

// An edit between plan and apply is no spelling of the service: it is not
// remembered, and nobody is told that the service changed what was written.
func TestDropUnsent(t *testing.T) {
	t.Parallel()
	told := func(memory attribute.Memory, value string) *attribute.Answer {
		a := &attribute.Answer{IsWrite: true, Memory: memory}
		got := attribute.Reconcile(a, "tag", types.StringValue(value), types.StringValue("written"), false)
		assert.Equal(t, types.StringValue("written"), got)
		return a
	}
	sent, unsent := attribute.SentIn(map[string]any{"tag": 1}), attribute.SentIn(map[string]any{})

	stored := told(nil, "stored")
	stored.DropUnsent(sent)
	assert.Contains(t, stored.Remembered, "tag")
	assert.Equal(t, []string{"tag"}, stored.Changed)

	still := told(stored.Remembered, "stored")
	still.DropUnsent(unsent)
	assert.Equal(t, stored.Remembered, still.Remembered)
	assert.Empty(t, still.Changed)

	edited := told(stored.Remembered, "edited")
	edited.DropUnsent(unsent)
	assert.Empty(t, edited.Remembered)
	assert.Empty(t, edited.Changed)
}
