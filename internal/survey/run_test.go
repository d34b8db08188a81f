package survey

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
)

// Archiving stops a running survey: its flags and its iterations change as after an end date.
func TestArchivingIsAStop(t *testing.T) {
	t.Parallel()
	running := Fields{
		Status: types.StringValue(StatusRunning), StartDate: types.StringValue("2025-01-01T00:00:00Z"), Archived: types.BoolValue(false),
		IterationCount: types.Int64Value(2), IterationFrequencyDays: types.Int64Value(7),
	}
	archived, unknown := running, running
	archived.Archived, unknown.Archived = types.BoolValue(true), types.BoolUnknown()

	for name, c := range map[string]struct {
		change     Change
		isRunning  bool
		changesRun bool
		shown      types.Bool
	}{
		"kept":        {Change{Planned: running, Prior: running}, true, false, types.BoolValue(true)},
		"archived":    {Change{Planned: archived, Prior: running}, false, true, types.BoolValue(false)},
		"shown again": {Change{Planned: running, Prior: archived}, true, true, types.BoolValue(true)},
		"unknown":     {Change{Planned: unknown, Prior: running}, true, true, types.BoolUnknown()},
	} {
		assert.Equal(t, c.isRunning, IsRunning(c.change.Planned), name)
		assert.Equal(t, c.changesRun, c.change.ofRun(), name)
		assert.Equal(t, c.changesRun, c.change.ofIterations(), "%s: whether the iterations change", name)
		assert.Equal(t, c.shown, c.change.isShown(), name)
	}
}
