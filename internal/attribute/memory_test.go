package attribute_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

type private map[string][]byte

func (p private) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) { return p[key], nil }

func (p private) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	p[key] = value
	return nil
}

func TestMemoryInPrivateState(t *testing.T) {
	t.Parallel()

	var diags diag.Diagnostics
	state := private{}

	assert.Empty(t, attribute.LoadMemory(t.Context(), state, `"NPS"`, &diags))
	attribute.Memory{"name": "hash"}.Save(t.Context(), state, &diags)
	assert.Equal(t, attribute.Memory{"name": "hash"}, attribute.LoadMemory(t.Context(), state, `"NPS"`, &diags))

	attribute.Memory(nil).Save(t.Context(), state, &diags)
	assert.Empty(t, attribute.LoadMemory(t.Context(), state, `"NPS"`, &diags), "an empty memory takes the place of the one before")
	assert.Empty(t, diags)

	state["echo"] = []byte(`[]`)
	assert.Empty(t, attribute.LoadMemory(t.Context(), state, `"NPS"`, &diags))
	require.Len(t, diags, 1)
	assert.Equal(t, diag.SeverityWarning, diags[0].Severity())
	assert.Equal(t, `Cannot read what the service normalized, from the private state: "NPS"`, diags[0].Summary())
}
