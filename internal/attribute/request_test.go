package attribute_test

import (
	"testing"

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
