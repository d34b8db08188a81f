// Package audience decides whether PostHog and its SDKs would show a survey to a person on a
// page at a given time, and explains each reason why not. It evaluates decoded values only: it
// performs no I/O and keeps no state. Start reading at [Survey.Offer].
package audience

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Survey contains the parts of a survey that decide to whom it is offered.
type Survey struct {
	ID, Type string
	// Iteration is the current iteration, or 0 if the survey does not have iterations.
	Iteration  int64
	IsArchived bool
	// Start and End are zero if not set. PostHog does not schedule: a survey with a start date is running, and a
	// survey with an end date is completed, whatever the dates are.
	Start, End time.Time
	// Linked, Targeting, and Internal are the survey's flags. Each may be nil.
	Linked, Targeting, Internal *Flag
	Schedule                    string
	// Conditions and Appearance are decoded JSON, or JSON text.
	Conditions, Appearance any
}

// External is the survey type with a separate page.
const External = "external_survey"

// Result is the result of a check.
type Result string

// Results of checks.
const (
	OK      Result = "ok"
	Warning Result = "warning"
	Failed  Result = "failed"
)

// Finding is the result of a check, and the remedy if the result is not OK.
type Finding struct {
	Result Result `json:"result"`
	// Check is the name of the check.
	Check string `json:"check"`
	Text  string `json:"detail"`
}

// Offer decides whether a survey is offered to the evaluator's person. It returns the reasons against it, or none if
// the survey is offered. For each check, it returns only the first reason, because the others follow from it. If page
// is nil, conditions on the page are ignored (see [Survey.Needs]).
func (s *Survey) Offer(e *Evaluator, page *Page) (reasons []Finding) {
	findings := append(s.Checks(e.now), s.personal(e)...)
	if page != nil {
		findings = append(findings, s.on(*page)...)
	}

	checked := map[string]bool{}
	for _, f := range findings {
		isReason := f.Result == Failed || f.Check == "type" && s.Type == External
		if isReason && !checked[f.Check] {
			checked[f.Check] = true
			reasons = append(reasons, f)
		}
	}
	return reasons
}

// IsRunning reports whether a survey is launched, not completed, and not archived.
func (s *Survey) IsRunning() bool { return !s.IsArchived && !s.Start.IsZero() && s.End.IsZero() }

// Checks returns the findings that are the same for everyone.
func (s *Survey) Checks(now time.Time) []Finding {
	findings := []Finding{s.checkStatus(now), s.checkType()}
	findings = append(findings, checkFlag("linked flag", s.Linked), checkFlag("targeting", s.Targeting))
	if flag := s.Internal; flag != nil && !flag.Active && s.IsRunning() && !s.ComesAgain() {
		findings = append(findings, Finding{Failed, "internal flag", fmt.Sprintf("PostHog's own feature flag %q is off although the survey is running: "+
			"save the survey again with any change, and PostHog switches the flag on", flag.Key)})
	}
	return append(findings, s.checkConditions()...)
}

// checkStatus checks the dates and whether the survey is archived.
func (s *Survey) checkStatus(now time.Time) Finding {
	start, end := s.Start.Format(time.RFC3339), s.End.Format(time.RFC3339)
	switch {
	case s.IsArchived:
		return Finding{Failed, "status", "it is archived: set archived = false"}
	case s.End.After(now):
		return Finding{Failed, "status", "it is completed, although its end_date is " + end + ": PostHog does not schedule stops, so a survey with any end_date is completed; " +
			`resume it with status = "running"`}
	case !s.End.IsZero():
		return Finding{Failed, "status", "it was stopped at " + end + `: resume it with status = "running"`}
	case s.Start.IsZero():
		return Finding{Failed, "status", `it is a draft: launch it in PostHog, or with status = "running"`}
	case s.Start.After(now) && s.Type == External:
		return Finding{Failed, "status", "its page does not exist before its start_date, " + start + `: to launch it now, set start_date to the present`}
	case s.Start.After(now):
		return Finding{OK, "status", "it is running, although its start_date is " + start + ": PostHog does not schedule launches, so a survey with any start_date is launched"}
	}
	return Finding{OK, "status", "it has been running since " + start}
}

// checkType reports survey types that no page shows automatically.
func (s *Survey) checkType() Finding {
	switch s.Type {
	case "":
		return Finding{Warning, "type", "it has none"}
	case "api":
		return Finding{Warning, "type", "an api survey is shown only by your own code"}
	case External:
		return Finding{Warning, "type", "an external_survey is shown only on its own page"}
	}
	return Finding{OK, "type", s.Type}
}

// ProjectOff returns the finding for a project that does not show surveys.
func ProjectOff() Finding {
	return Finding{Failed, "project", "surveys are switched off in the project: switch them on in its settings, under Surveys"}
}

// checkFlag checks a flag that must be on for the respondent.
func checkFlag(check string, flag *Flag) Finding {
	if flag == nil {
		return Finding{OK, check, "none, so everyone is asked"}
	}
	name := fmt.Sprintf("feature flag %q ", flag.Key)
	switch nobody := flag.Nobody(); {
	case flag.Deleted:
		return Finding{Failed, check, name + "is deleted: link another one"}
	case !flag.Active:
		return Finding{Failed, check, name + "is switched off: switch it on"}
	case nobody != "":
		return Finding{Failed, check, name + nobody}
	}
	return Finding{OK, check, name + "is on"}
}

// personal returns the reasons why a survey is not offered to a person. They include flags that are off for everyone.
func (s *Survey) personal(e *Evaluator) []Finding {
	var findings []Finding
	say := func(check, text string) { findings = append(findings, Finding{Failed, check, text}) }

	if flag := s.Linked; flag != nil {
		c, _ := s.conditions()
		want, v := c.LinkedFlagVariant, e.Value(flag)
		switch {
		case !v.Enabled:
			say("linked flag", fmt.Sprintf("feature flag %q is off for this person%s", flag.Key, e.why(flag, v)))
		case want == "" || want == "any" || v.Variant != nil && *v.Variant == want:
		case v.Variant == nil:
			say("linked flag", fmt.Sprintf("linkedFlagVariant is %q, and this person gets no variant", want))
		default:
			say("linked flag", fmt.Sprintf("linkedFlagVariant is %q, and this person gets variant %q", want, *v.Variant))
		}
	}
	if flag := s.Targeting; flag != nil {
		if v := e.Value(flag); !v.Enabled {
			say("targeting", "the targeting does not choose this person"+e.why(flag, v))
		}
	}
	// If the survey is not running, its internal flag is off for everyone, which says nothing about the person.
	if flag := s.Internal; flag != nil && !s.ComesAgain() {
		if v := e.Value(flag); !v.Enabled && v.Reason.Code != Disabled {
			say("internal flag", "this person has answered or dismissed it, or is within its wait period"+cmp.Or(s.seenProperty(e.person), e.why(flag, v)))
		}
	}
	return findings
}

// seenProperty returns the person property that records that the person answered or dismissed the survey.
func (s *Survey) seenProperty(p *Person) string {
	name := s.ID
	if s.Iteration > 0 {
		name += "/" + strconv.FormatInt(s.Iteration, 10)
	}
	for _, property := range []string{"$survey_responded/" + name, "$survey_dismissed/" + name} {
		if _, ok := p.Properties[property]; ok {
			return " (" + property + " is set)"
		}
	}
	return ""
}

// why explains in parentheses why a flag is off for a person. It says why each evaluated condition does not match, or
// why none was evaluated.
func (e *Evaluator) why(flag *Flag, v Value) string {
	words := make([]string, len(v.Conditions))
	for i, c := range v.Conditions {
		words[i] = e.whyNot(flag, &flag.conditions[i], c)
		if len(words) > 1 {
			words[i] = fmt.Sprintf("condition %d: %s", i+1, words[i])
		}
	}
	switch {
	case v.Reason.Code == MissingDependency:
		words = []string{"it depends on a flag that does not exist, or on itself"}
	case v.Reason.Code == EarlyAccess:
		words = []string{"this person has opted out of it: $feature_enrollment/" + flag.Key + " is set"}
	case v.Reason.Code != Disabled && len(words) == 0:
		words = []string{"it has no condition set, so no one matches it"}
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, "; ") + ")"
}

// whyNot explains why a person does not match a condition.
func (e *Evaluator) whyNot(flag *Flag, c *condition, met Condition) string {
	switch {
	case met.Code == NoGroup:
		groupKind := ""
		if i := *c.aggregation; i >= 0 && i < int64(len(e.project.GroupTypes)) {
			groupKind = fmt.Sprintf(" of type %q", e.project.GroupTypes[i])
		}
		return "it applies to groups" + groupKind + ", and this person is in none"
	case met.Code == OutOfRollout && flag.ByDevice && e.person.DeviceID == "":
		return "it is rolled out by device, and no device ID is known"
	case met.Code == OutOfRollout:
		return fmt.Sprintf("it is rolled out to %s %%, and this person is at %s %%", percent(met.Rollout), percent(met.Hash))
	case met.Undecided != "":
		return met.Undecided
	}

	p := c.properties[met.Property]
	switch p.of {
	case "cohort":
		return fmt.Sprintf("this person is %sin cohort %s", map[bool]string{true: "", false: "not "}[p.operator == "not_in"], toText(p.want))
	case "flag":
		return fmt.Sprintf("flag %s is not %s for this person", p.key, toJSON(p.want))
	case "group":
		return fmt.Sprintf("%q of the group does not match. Required: %s", p.key, p.asks())
	}
	if value, ok := e.person.property(p.key); ok {
		return fmt.Sprintf("%q is %s. Required: %s", p.key, toJSON(value), p.asks())
	}
	return fmt.Sprintf("%q is not set. Required: %s", p.key, p.asks())
}

// percent formats a share as a percentage with up to four decimals.
func percent(share float64) string {
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(share*100, 'f', 4, 64), "0"), ".")
}

// asks describes a filter's condition.
func (p property) asks() string {
	if p.want == nil || p.operator == "is_set" || p.operator == "is_not_set" {
		return p.operator
	}
	return p.operator + " " + toJSON(p.want)
}
