package framework

import (
	"context"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// values is a plan with these timeouts.
type values map[string]string

func (v values) GetAttribute(_ context.Context, at path.Path, into any) diag.Diagnostics {
	last, _ := at.Steps().LastStep()
	name, _ := last.(path.PathStepAttributeName)
	text, ok := v[string(name)]
	if target, isText := into.(*types.String); isText && ok {
		*target = types.StringValue(text)
	}
	return nil
}

// An operation has the timeout from its configuration, or the default.
func TestOperationHasItsTimeout(t *testing.T) {
	t.Parallel()
	plan := values{"create": "90s"}
	for name, want := range map[string]time.Duration{"create": 90 * time.Second, "update": operationTime} {
		var diags diag.Diagnostics
		ctx, done := Operation(t.Context(), name, plan, &diags)
		defer done()

		deadline, ok := ctx.Deadline()
		require.True(t, ok, name)
		assert.InDelta(t, want.Seconds(), time.Until(deadline).Seconds(), 5, name)
		assert.Empty(t, diags, name)
	}
}

func TestOperationRefusesTimeout(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"soon", "0s", "-1m"} {
		var diags diag.Diagnostics
		_, done := Operation(t.Context(), "create", values{"create": text}, &diags)
		done()

		require.True(t, diags.HasError(), text)
		assert.Equal(t, "Invalid timeout", diags[0].Summary(), text)
		assert.Contains(t, diags[0].Detail(), `timeouts.create is "`+text+`"`, text)
	}
}

// Zero, negative, and invalid durations are refused with an example of a valid one.
func TestPositiveRefusesOtherThanDurations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"90s": false, "0s": true, "-1m": true, "soon": true, "20": true, "": true} {
		var resp validator.StringResponse
		positive.ValidateString(t.Context(), validator.StringRequest{
			Path: path.Root(TimeoutsName).AtName("create"), ConfigValue: types.StringValue(text),
		}, &resp)
		assert.Equal(t, want, resp.Diagnostics.HasError(), text)
	}
}

// The attribute is optional, and null if the configuration omits it.
func TestTimeoutsAttributeHasAllOperations(t *testing.T) {
	t.Parallel()
	object, ok := TimeoutsAttribute().GetType().(attr.TypeWithAttributeTypes)
	require.True(t, ok)
	for _, operation := range []string{"create", "read", "update", "delete"} {
		assert.Contains(t, object.AttributeTypes(), operation)
	}
	assert.True(t, TimeoutsAttribute().IsOptional())
}
