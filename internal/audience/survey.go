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

// Survey is what of a survey decides to whom it is offered.
type Survey struct {
	ID, Type string
	// Iteration is the one that runs; 0 for a survey without.
	Iteration  int64
	IsArchived bool
	// Start and End are zero for none. The service has no schedule: a survey with a start date
	// runs, and one with an end date is over, whatever the dates.
	Start, End time.Time
	// Linked, Targeting and Internal are its flags; nil for none.
	Linked, Targeting, Internal *Flag
	Schedule                    string
	// Conditions and Appearance are decoded JSON, or its text.
	Conditions, Appearance any
}

// External is the type of surveys that have a page of their own.
const External = "external_survey"

// Result is the result of a check.
type Result string

// The results of checks.
const (
	OK      Result = "ok"
	Warning Result = "warning"
	Failed  Result = "failed"
)

// Finding is what one check found, and what to do when that is not ok.
type Finding struct {
	Result Result `json:"result"`
	// Check names what was checked.
	Check string `json:"check"`
	Text  string `json:"detail"`
}

// Offer decides whether a survey is offered to the person of an evaluator: there are no reasons
// against it when it is. Of each check the first reason stands, since the others of it only follow.
// Without a page what the survey asks of one is left open, and [Survey.Needs] says it.
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

// IsRunning reports whether a survey is launched and not over.
func (s *Survey) IsRunning() bool { return !s.IsArchived && !s.Start.IsZero() && s.End.IsZero() }

// Checks say what holds for everybody.
func (s *Survey) Checks(now time.Time) []Finding {
	findings := []Finding{s.checkStatus(now), s.checkType()}
	findings = append(findings, checkFlag("linked flag", s.Linked), checkFlag("targeting", s.Targeting))
	if flag := s.Internal; flag != nil && !flag.Active && s.IsRunning() {
		findings = append(findings, Finding{Failed, "internal flag", fmt.Sprintf("PostHog's own feature flag %q is off although the survey is running: "+
			"save the survey again with any change, and PostHog switches the flag on", flag.Key)})
	}
	return append(findings, s.checkConditions()...)
}

// checkStatus checks the draft, the dates and the archive.
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
	case s.Start.After(now):
		return Finding{OK, "status", "it is running, although its start_date is " + start + ": PostHog does not schedule launches, so a survey with any start_date is launched"}
	}
	return Finding{OK, "status", "it has been running since " + start}
}

// checkType reports the types that no page shows by itself.
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

// ProjectOff says that a project shows no surveys at all.
func ProjectOff() Finding {
	return Finding{Failed, "project", "surveys are switched off in the project: switch them on in its settings, under Surveys"}
}

// checkFlag checks a flag that has to be on for the respondent.
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

// personal is what keeps a survey from one person, whom no flag that is off for everybody would let
// in.
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
	// Of a survey that does not run the flag is off, which says nothing of the person.
	if flag := s.Internal; flag != nil && !s.ComesAgain() {
		if v := e.Value(flag); !v.Enabled && v.Reason.Code != Disabled {
			say("internal flag", "this person has answered or dismissed it, or is within its wait period"+cmp.Or(s.seenProperty(e.person), e.why(flag, v)))
		}
	}
	return findings
}

// seenProperty names the property of a person that tells of an answer to the survey, or of its dismissal.
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

// why says in parentheses why a flag is off for a person: of each condition that was looked at why
// it is not met, or why none was.
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

// whyNot says why a person does not meet a condition.
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

// percent is a share with as many digits as tell it apart.
func percent(share float64) string {
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(share*100, 'f', 4, 64), "0"), ".")
}

// asks is what a property asks for.
func (p property) asks() string {
	if p.want == nil || p.operator == "is_set" || p.operator == "is_not_set" {
		return p.operator
	}
	return p.operator + " " + toJSON(p.want)
}
