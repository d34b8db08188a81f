package attribute_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// An edit between plan and apply isn't mistaken for a normalization by PostHog: it is not remembered, and no warning
// claims that PostHog changed the written value.
func TestDropUnsent(t *testing.T) {
	t.Parallel()

	written := func(memory attribute.Memory, value string) *attribute.Response {
		a := &attribute.Response{IsWrite: true, Memory: memory}

		got := attribute.Reconcile(a, "tag", types.StringValue(value), types.StringValue("written"), false)
		assert.Equal(t, types.StringValue("written"), got)

		return a
	}
	sent, unsent := attribute.SentAttributes(map[string]any{"tag": 1}), attribute.SentAttributes(map[string]any{})

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

	assert.Empty(t, attribute.LoadObjectMemory(t.Context(), state, `"NPS"`, &diags).Echo)
	attribute.ObjectMemory{Echo: attribute.Memory{"name": "hash"}}.Save(t.Context(), state, &diags)
	assert.Equal(t, attribute.Memory{"name": "hash"}, attribute.LoadObjectMemory(t.Context(), state, `"NPS"`, &diags).Echo)

	attribute.ObjectMemory{}.Save(t.Context(), state, &diags)
	assert.Empty(t, attribute.LoadObjectMemory(t.Context(), state, `"NPS"`, &diags).Echo, "an empty memory must replace the previous one")
	assert.Empty(t, diags)

	state["echo"] = []byte(`[]`)
	assert.Empty(t, attribute.LoadObjectMemory(t.Context(), state, `"NPS"`, &diags).Echo)
	require.Len(t, diags, 1)
	assert.Equal(t, diag.SeverityWarning, diags[0].Severity())
	assert.Equal(t, `Could not read the values that PostHog normalized from the private state: "NPS"`, diags[0].Summary())
}

func TestConfiguredIn(t *testing.T) {
	t.Parallel()

	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"set": tftypes.String, "unset": tftypes.String, "unknown": tftypes.String,
	}}

	configured := attribute.ConfiguredAttributes(tftypes.NewValue(object, map[string]tftypes.Value{
		"set":     tftypes.NewValue(tftypes.String, ""),
		"unset":   tftypes.NewValue(tftypes.String, nil),
		"unknown": tftypes.NewValue(tftypes.String, tftypes.UnknownValue),
	}))

	for name, want := range map[string]bool{"set": true, "set/0/name": true, "unknown": true, "unset": false, "unset/0": false, "other": false} {
		assert.Equal(t, want, configured(name), name)
	}
}

func TestSentIn(t *testing.T) {
	t.Parallel()

	sent := attribute.SentAttributes(map[string]any{"name": "x", "tag": nil})
	for name, want := range map[string]bool{"name": true, "name/0": true, "tag": true, "icon": false, "": false} {
		assert.Equal(t, want, sent(name), name)
	}
	assert.False(t, attribute.SentAttributes("no object")("name"))
}
