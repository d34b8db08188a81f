package audience

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// If a person is offered several surveys in a visit, posthog-js shows one of them first.
func TestFirstShown(t *testing.T) {
	t.Parallel()
	popover := func(schedule string, appearance any) Survey {
		return Survey{Type: "popover", Schedule: schedule, Appearance: appearance}
	}
	late := map[string]any{"surveyPopupDelaySeconds": 5}
	for name, c := range map[string]struct {
		offered []Survey
		want    int
	}{
		"none":                    {nil, -1},
		"the order of PostHog":    {[]Survey{popover("once", nil), popover("once", nil)}, 0},
		"the shortest delay":      {[]Survey{popover("once", late), popover("once", nil)}, 1},
		"a delay as text":         {[]Survey{popover("once", `{"surveyPopupDelaySeconds": 5}`), popover("once", nil)}, 1},
		"schedule always is last": {[]Survey{popover("always", nil), popover("once", late)}, 1},
		"other types":             {[]Survey{{Type: "widget"}, {Type: "api"}, {Type: External}}, -1},
		"an unknown appearance":   {[]Survey{popover("once", "red"), popover("once", late)}, 0},
	} {
		assert.Equal(t, c.want, FirstShown(c.offered), name)
	}
}

// A survey with a wait period is not shown in a visit that shows another survey before it.
func TestWaitsAfter(t *testing.T) {
	t.Parallel()
	s := Survey{Type: "popover", Conditions: map[string]any{"seenSurveyWaitPeriodInDays": 30}}
	reason, waits := s.WaitsAfter("First")
	assert.True(t, waits)
	assert.Equal(t, `survey "First" is shown first in this visit, and conditions.seenSurveyWaitPeriodInDays = 30 hides this survey after any other`, reason.Text)

	for _, other := range []Survey{{Type: "popover"}, {Type: "widget", Conditions: s.Conditions}, {Type: "popover", Conditions: map[string]any{"seenSurveyWaitPeriodInDays": 0}}} {
		_, waits := other.WaitsAfter("First")
		assert.False(t, waits, other)
	}
}
