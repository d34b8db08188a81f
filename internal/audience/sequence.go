package audience

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// FirstShown returns the index of the survey that posthog-js shows first to someone who is offered several, or -1.
// posthog-js shows only popovers automatically, one at a time, in the order of their delays. Surveys with the schedule
// always come last.
func FirstShown(offered []Survey) int {
	first := -1
	for i := range offered {
		if offered[i].Type == "popover" && (first < 0 || compareDisplay(&offered[i], &offered[first]) < 0) {
			first = i
		}
	}
	return first
}

func compareDisplay(a, b *Survey) int {
	rank := map[bool]int{true: 1}
	return cmp.Or(rank[a.Schedule == "always"]-rank[b.Schedule == "always"], cmp.Compare(a.delaySeconds(), b.delaySeconds()))
}

// delaySeconds returns how long posthog-js waits before it shows a survey.
func (s *Survey) delaySeconds() float64 {
	var look struct {
		Delay float64 `json:"surveyPopupDelaySeconds"`
	}
	if json.Unmarshal([]byte(cmp.Or(toText(s.Appearance), "null")), &look) != nil {
		return 0 // the appearance has a different form
	}
	return look.Delay
}

// WaitsAfter returns the reason why a survey with a wait period is not shown in a visit that shows another survey
// first. Without a wait period, the survey follows the other one.
func (s *Survey) WaitsAfter(name string) (Finding, bool) {
	c, _ := s.conditions()
	if s.Type != "popover" || c.WaitDays <= 0 {
		return Finding{}, false
	}
	return Finding{Failed, "conditions", fmt.Sprintf(
		"survey %q is shown first in this visit, and conditions.seenSurveyWaitPeriodInDays = %g hides this survey after any other", name, c.WaitDays)}, true
}
