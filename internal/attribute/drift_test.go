package attribute_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// An edit between plan and apply is no normalization by the service: it is not
// remembered, and no warning says that the service changed what was written.
func TestDropUnsent(t *testing.T) {
	t.Parallel()

	written := func(memory attribute.Memory, value string) *attribute.Response {
		a := &attribute.Response{IsWrite: true, Memory: memory}

		got := attribute.Reconcile(a, "tag", types.StringValue(value), types.StringValue("written"), false)
		assert.Equal(t, types.StringValue("written"), got)

		return a
	}
	sent, unsent := attribute.SentIn(map[string]any{"tag": 1}), attribute.SentIn(map[string]any{})

	stored := written(nil, "stored")
	stored.DropUnsent(sent)
	assert.Contains(t, stored.Remembered, "tag")
	assert.Equal(t, []string{"tag"}, stored.Changed)

	still := written(stored.Remembered, "stored")
	still.DropUnsent(unsent)
	assert.Equal(t, stored.Remembered, still.Remembered)
	assert.Empty(t, still.Changed)

	edited := written(stored.Remembered, "edited")
	edited.DropUnsent(unsent)
	assert.Empty(t, edited.Remembered)
	assert.Empty(t, edited.Changed)
}
