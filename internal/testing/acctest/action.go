package acctest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/require"
)

// Invoke plans and invokes an action in process, with a provider of its own, and
// returns the progress that it reported.
func (env *Env) Invoke(t testing.TB, typeName string, config map[string]any) ([]string, Diagnostics) {
	t.Helper()

	server, schemas := env.serve(t)
	schema := schemas.ActionSchemas[typeName]
	require.NotNil(t, schema, "no action is called %s", typeName)
	actions, ok := server.(tfprotov6.ActionServer)
	require.True(t, ok)
	wanted := encode(t, value(t, schema.Schema.ValueType(), config))

	valid, err := actions.ValidateActionConfig(t.Context(), &tfprotov6.ValidateActionConfigRequest{ActionType: typeName, Config: wanted})
	require.NoError(t, err)
	plan, err := actions.PlanAction(t.Context(), &tfprotov6.PlanActionRequest{ActionType: typeName, Config: wanted})
	require.NoError(t, err)

	diags := append(Diagnostics(valid.Diagnostics), plan.Diagnostics...)
	if diags.HasError() {
		return nil, diags
	}

	stream, err := actions.InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{ActionType: typeName, Config: wanted})
	require.NoError(t, err)

	var progress []string
	for event := range stream.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			progress = append(progress, event.Message)
		case tfprotov6.CompletedInvokeActionEventType:
			diags = append(diags, event.Diagnostics...)
		}
	}
	return progress, diags
}
