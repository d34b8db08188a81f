package attribute_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

func TestConfiguredIn(t *testing.T) {
	t.Parallel()

	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"set": tftypes.String, "unset": tftypes.String, "unknown": tftypes.String,
	}}

	configured := attribute.ConfiguredIn(tftypes.NewValue(object, map[string]tftypes.Value{
		"set":     tftypes.NewValue(tftypes.String, ""),
		"unset":   tftypes.NewValue(tftypes.String, nil),
		"unknown": tftypes.NewValue(tftypes.String, tftypes.UnknownValue),
	}))

	for name, want := range map[string]bool{"set": true, "set/0/name": true, "unknown": true, "unset": false, "unset/0": false, "other": false} {
		assert.Equal(t, want, configured(name), name)
	}
}
