package check

import (
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// Sampling that began in the past is left alone, until its limit changes: the
// service wants the start beside a new limit, and takes none of the past.
func TestNewSamplingLimit(t *testing.T) {
	t.Parallel()

	sampling := func(start string, limit types.Int64) survey.Fields {
		return survey.Fields{SamplingStartDate: types.StringValue(start), SamplingInterval: types.Int64Value(1), SamplingLimit: limit}
	}

	const past, today = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
	prior := sampling(past, types.Int64Value(5))

	for name, c := range map[string]struct {
		planned survey.Fields
		found   int
	}{
		"unchanged":    {sampling(past, types.Int64Value(5)), 0},
		"another":      {sampling(past, types.Int64Value(6)), 1},
		"cleared":      {sampling(past, types.Int64Null()), 0},
		"zero":         {sampling(past, types.Int64Value(0)), 0},
		"not known":    {sampling(past, types.Int64Unknown()), 0},
		"begins today": {sampling(today, types.Int64Value(6)), 0},
	} {
		var found Findings
		checkNewLimit(candidate{Fields: c.planned, now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, prior, &found)
		assert.Len(t, found, c.found, name)

		found = nil
		checkNewLimit(candidate{Fields: c.planned}, prior, &found)
		assert.Empty(t, found, "%s: the time is not known", name)
	}
}
