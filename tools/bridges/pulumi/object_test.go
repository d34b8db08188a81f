package pulumi_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/diag"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// object is one resource of a stack, with what Pulumi's engine remembers of it.
type object struct {
	provider plugin.Provider
	urn      resource.URN
	id       resource.ID
	// inputs are the inputs of the program. state are the outputs of the last operation.
	inputs, state resource.PropertyMap
}

// validate fills in defaults and validates inputs, which every operation begins with.
func (o *object) validate(t *testing.T, inputs resource.PropertyMap) plugin.CheckResponse {
	t.Helper()
	checked, err := o.provider.Check(t.Context(), plugin.CheckRequest{
		URN: o.urn, Type: o.urn.Type(), Name: o.urn.Name(), News: inputs, RandomSeed: make([]byte, 32),
	})
	require.NoError(t, err)
	return checked
}

// check returns valid inputs with defaults.
func (o *object) check(t *testing.T, inputs resource.PropertyMap) resource.PropertyMap {
	t.Helper()
	checked := o.validate(t, inputs)
	require.Empty(t, checked.Failures)
	return checked.Properties
}

// refused returns why inputs are invalid.
func (o *object) refused(t *testing.T, inputs resource.PropertyMap) string {
	t.Helper()
	checked := o.validate(t, inputs)
	require.Len(t, checked.Failures, 1)
	return checked.Failures[0].Reason
}

// create previews and creates the object.
func (o *object) create(t *testing.T) {
	t.Helper()
	o.inputs = o.check(t, o.inputs)
	for _, preview := range []bool{true, false} {
		created, err := o.provider.Create(t.Context(), plugin.CreateRequest{
			URN: o.urn, Type: o.urn.Type(), Name: o.urn.Name(), Properties: o.inputs, Preview: preview,
		})
		require.NoError(t, err)
		o.id, o.state = created.ID, created.Properties
	}
	require.NotEmpty(t, o.id)
}

// diff is what inputs would change.
func (o *object) diff(t *testing.T, inputs resource.PropertyMap) plugin.DiffResult {
	t.Helper()
	diff, err := o.provider.Diff(t.Context(), plugin.DiffRequest{
		URN: o.urn, Type: o.urn.Type(), Name: o.urn.Name(), ID: o.id,
		OldInputs: o.inputs, OldOutputs: o.state, NewInputs: o.check(t, inputs),
	})
	require.NoError(t, err)
	return diff
}

// update changes the object in place.
func (o *object) update(t *testing.T, inputs resource.PropertyMap) {
	t.Helper()
	checked := o.check(t, inputs)
	updated, err := o.provider.Update(t.Context(), plugin.UpdateRequest{
		URN: o.urn, Type: o.urn.Type(), Name: o.urn.Name(), ID: o.id,
		OldInputs: o.inputs, OldOutputs: o.state, NewInputs: checked,
	})
	require.NoError(t, err)
	o.inputs, o.state = checked, updated.Properties
}

// refresh reads the object, which nobody changed since.
func (o *object) refresh(t *testing.T) {
	t.Helper()
	read, err := o.provider.Read(t.Context(), plugin.ReadRequest{
		URN: o.urn, Type: o.urn.Type(), Name: o.urn.Name(), ID: o.id, Inputs: o.inputs, State: o.state,
	})
	require.NoError(t, err)
	assert.Equal(t, o.id, read.ID)
	assert.Equal(t, visible(o.state), visible(read.Outputs))
}

// visible is a state without the part that the bridge keeps for itself.
func visible(state resource.PropertyMap) resource.PropertyMap {
	rest := state.Copy()
	delete(rest, "__meta")
	return rest
}

// imports reads the object by its ID only. A program with the inputs that it returns changes nothing.
func (o *object) imports(t *testing.T, id resource.ID) {
	t.Helper()
	read, err := o.provider.Read(t.Context(), plugin.ReadRequest{
		URN: o.urn, Type: o.urn.Type(), Name: o.urn.Name(), ID: id,
	})
	require.NoError(t, err)
	assert.Equal(t, o.id, read.ID)

	imported := object{provider: o.provider, urn: o.urn, id: read.ID, inputs: read.Inputs, state: read.Outputs}
	assert.Equal(t, plugin.DiffNone, imported.diff(t, imported.inputs).Changes)
}

// destroy deletes the object.
func (o *object) destroy(t *testing.T) {
	t.Helper()
	_, err := o.provider.Delete(t.Context(), plugin.DeleteRequest{
		URN: o.urn, Type: o.urn.Type(), Name: o.urn.Name(), ID: o.id, Inputs: o.inputs, Outputs: o.state,
	})
	require.NoError(t, err)
}

// log keeps what the provider says to the user.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

// Log keeps a message.
func (l *log) Log(_ context.Context, _ diag.Severity, _ resource.URN, message string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.WriteString(message + "\n")
	return nil
}

// LogStatus leaves out progress, which is shown only as long as it lasts.
func (*log) LogStatus(context.Context, diag.Severity, resource.URN, string) error { return nil }

// String returns the messages, one a line.
func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
