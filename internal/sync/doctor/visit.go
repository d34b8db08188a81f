package doctor

import (
	"slices"
	"strings"
	"time"

	"github.com/dlclark/regexp2"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// Visit is somebody who opens a page of an app.
type Visit struct {
	// URL is the address of the page, Device the kind of device: Mobile, Tablet, Desktop,
	// Console or Wearable. Empty is not known.
	URL, Device string
	// Flags are the feature flags of the person by key, as the service evaluates them.
	Flags map[string]Flag
}

// Flag is the value of a feature flag for one person.
type Flag struct {
	IsOn bool
	// Variant is the variant that the person gets; empty for none.
	Variant string
	// Reason says in a few words why the flag has this value.
	Reason string
}

// CheckVisit finds out what keeps a survey from being shown in a visit, in the order in which
// the SDKs decide: the findings of [CheckSurvey] hold for everybody, these for one person.
func CheckVisit(survey api.Survey, visit Visit) []Finding {
	v := visitCheck{survey: survey, visit: visit}
	conditions, err := decodeConditions(survey.Conditions)
	if err != nil {
		v.warn("conditions", ConditionsUnreadable, Finding{Err: err})
	}

	v.checkLinkedFlag(conditions)
	v.checkTargeting()
	v.checkInternal(conditions)
	v.checkAddress(conditions)
	v.checkDevice(conditions)
	v.checkPage(conditions)
	return v.findings
}

// visitCheck checks a survey for one visit.
type visitCheck struct {
	findings
	survey api.Survey
	visit  Visit
}

// checkLinkedFlag checks the flag that code links, and the variant of it that is asked for.
func (v *visitCheck) checkLinkedFlag(c Conditions) {
	flag, err := v.survey.LinkedFlag.Get()
	if err != nil {
		return
	}
	key := text(flag.Key)
	value := v.visit.Flags[key]
	switch {
	case !value.IsOn:
		v.fail("linked flag", VisitFlagOff, Finding{Name: key, Value: value.Reason})
	case c.LinkedFlagVariant != "" && c.LinkedFlagVariant != "any" && c.LinkedFlagVariant != value.Variant:
		v.fail("linked flag", VisitOtherVariant, Finding{Name: c.LinkedFlagVariant, Value: value.Variant})
	}
}

func (v *visitCheck) checkTargeting() {
	flag, err := v.survey.TargetingFlag.Get()
	if err != nil {
		return
	}
	if value := v.visit.Flags[text(flag.Key)]; !value.IsOn {
		v.fail("targeting", VisitNotTargeted, Finding{Name: text(flag.Key), Value: value.Reason})
	}
}

// checkInternal checks the flag by which the service hides a survey from people who have
// answered it. A survey that can come again does not ask for it.
func (v *visitCheck) checkInternal(c Conditions) {
	flag, err := v.survey.InternalTargetingFlag.Get()
	schedule, _ := v.survey.Schedule.Get() // empty for none
	if err != nil || schedule == "always" || c.Events.comesAgain() {
		return
	}
	if value := v.visit.Flags[text(flag.Key)]; !value.IsOn {
		v.fail("internal flag", VisitSeen, Finding{Name: text(flag.Key), Value: value.Reason})
	}
}

// checkAddress checks the condition on the address of the page.
func (v *visitCheck) checkAddress(c Conditions) {
	if c.URL == "" || matchesAny(c.URLMatchType, v.visit.URL, c.URL) {
		return
	}
	v.fail("conditions", VisitOtherURL, Finding{Needs: c, Value: v.visit.URL})
}

func (v *visitCheck) checkDevice(c Conditions) {
	if len(c.DeviceTypes) == 0 || matchesAny(c.DevicesMatchType, v.visit.Device, c.DeviceTypes...) {
		return
	}
	v.fail("conditions", VisitOtherDevice, Finding{Needs: c, Value: v.visit.Device})
}

// checkPage names the conditions that only the page itself can meet.
func (v *visitCheck) checkPage(c Conditions) {
	if c.Selector != "" || len(c.Events.Names()) > 0 || len(c.Actions.Names()) > 0 {
		v.fail("conditions", VisitWaits, Finding{Needs: Conditions{Selector: c.Selector, Events: c.Events, Actions: c.Actions}})
	}
}

// patternTimeout bounds the time that a pattern of a survey may take.
const patternTimeout = time.Second

// matchesAny compares as posthog-js does: a value that is not known meets no condition, and
// an unknown way to compare is that of an empty one.
func matchesAny(how, value string, targets ...string) bool {
	if value == "" {
		return false
	}

	holds := func(compare func(target string) bool) bool { return slices.ContainsFunc(targets, compare) }
	contains := func(target string) bool { return strings.Contains(strings.ToLower(value), strings.ToLower(target)) }
	equals := func(target string) bool { return value == target }
	matches := func(target string) bool { return matchesPattern(value, target) }
	switch how {
	case "exact":
		return holds(equals)
	case "is_not":
		return !holds(equals)
	case "regex":
		return holds(matches)
	case "not_regex":
		return !holds(matches)
	case "not_icontains":
		return !holds(contains)
	default:
		return holds(contains)
	}
}

// matchesPattern reports whether a JavaScript pattern matches; an invalid one matches nothing.
func matchesPattern(value, pattern string) bool {
	compiled, err := regexp2.Compile(pattern, regexp2.ECMAScript)
	if err != nil {
		return false
	}
	compiled.MatchTimeout = patternTimeout
	isMatch, err := compiled.MatchString(value)
	return err == nil && isMatch
}
