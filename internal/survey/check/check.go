// Package check finds settings of a survey that PostHog would reject or misinterpret, and
// explains how a plan affects respondents. It makes no requests. Start reading at [Plan].
package check

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// candidate is a survey as the checks look at it.
type candidate struct {
	survey.Fields
	// now is the moment of the check; zero skips the checks that need a clock.
	now time.Time
	// stored are the filters of the targeting flag that the survey has by now.
	stored string
}

// Plan says at plan what the service would refuse, or take and get wrong, and what the change
// means for the people who answer.
//
// The same checks look at the prior state, and what they find there too is left
// out: what the service itself returned is always accepted, so that every existing
// survey can be imported and kept as it is. pairs are the questions of both. In a project that
// shows no surveys, isHidden, a launch shows the survey to nobody, and no finding says otherwise.
func Plan(config, planned, prior survey.Fields, pairs survey.QuestionPairs, isHidden bool, now time.Time, diags *diag.Diagnostics) {
	if !prior.ID.IsNull() && planned.Equal(prior) {
		return // most plans change nothing
	}
	findings := plan(config, planned, prior, pairs, now, diags)
	if isHidden {
		findings = slices.DeleteFunc(findings, func(f finding) bool { return f.kind == launches || f.kind == shownAgain })
	}
	findings.Report(planned.Name, diags)
}

// plan returns the findings of a plan that have a location. Those about the list of questions as a
// whole go to diags.
func plan(config, planned, prior survey.Fields, pairs survey.QuestionPairs, now time.Time, diags *diag.Diagnostics) Findings {
	if attribute.IsKnown(planned.ProjectID) && !prior.ProjectID.Equal(planned.ProjectID) {
		// A survey that moves to another project is a new one there.
		prior, pairs = survey.Fields{}, survey.QuestionPairs{}
	}

	if config.BaseLanguage.IsNull() && planned.BaseLanguage.IsUnknown() {
		planned.BaseLanguage = types.StringValue(defaultLanguage) // what the service fills in
	}

	old, current := newCandidate(prior, prior, now), newCandidate(planned, prior, now)

	findings := runChecks(current)
	if len(findings) > 0 && !prior.ID.IsNull() {
		earlier := runChecks(old)
		if planned.Status.ValueString() != survey.StatusRunning {
			// A draft hides nothing. A type that a teammate edited in PostHog must not stop pull.
			retyped := old
			retyped.Type = current.Type
			checkHiding(retyped, &earlier)
		}
		if Launches(planned, prior) { // what hid nothing yet
			earlier = slices.DeleteFunc(earlier, func(f finding) bool { return f.kind == hidesAll })
		}
		findings = findings.without(earlier, pairs.PriorIndex)
	}

	checkEnumerations(old, current, &findings)
	checkRecurrence(planned, prior, &findings)
	checkRun(current, prior, &findings)
	if !prior.ID.IsNull() {
		warnOfMoves(pairs, planned.Name, diags)
		isRunning := prior.Status.ValueString() == survey.StatusRunning
		checkRepetitions(pairs, isRunning, &findings)
		if hasRun := !prior.StartDate.IsNull(); hasRun {
			checkLostAnswers(pairs, planned.Name, isRunning, &findings, diags)
			checkPossible(pairs, &findings)
		}
	}
	return findings
}

func newCandidate(f, prior survey.Fields, now time.Time) candidate {
	return candidate{Fields: f, now: now, stored: survey.StoredFilters(prior)}
}

// runChecks runs every check that looks at one survey alone.
func runChecks(s candidate) Findings {
	var findings Findings
	for _, check := range []func(candidate, *Findings){
		checkName, checkNumbers, checkDates, checkIterations, checkSampling,
		checkLinkedFlag, checkTargeting,
		checkQuestions, checkBranching,
		checkConditions, checkAppearance, checkHiding, checkLanguages,
		checkShuffle, checkExternal,
	} {
		check(s, &findings)
	}
	return findings
}

// WithoutState are warnings of what the plan of a new survey would refuse. They leave out:
//
//   - what is said of a question whose id the configuration names, and of the survey of
//     such a question. Generated configurations of odd surveys name the ids of questions,
//     those of new surveys do not. So an import and each plan after it is quiet;
//   - warnings of the plan: terraform plan validates first, and would print them twice.
func WithoutState(config survey.Fields) Findings {
	findings := slices.DeleteFunc(HandWritten(config).errors(), func(f finding) bool { return f.kind == duplicateID })
	for i := range findings {
		findings[i].severity = diag.SeverityWarning
	}
	// The sentence applies to all warnings, and is printed once.
	switch last := len(findings) - 1; {
	case last == 0:
		findings[last].after = " Unless the survey already has this value, the plan will fail."
	case last > 0:
		findings[last].after = " Unless the survey already has the values of all these warnings, the plan will fail."
	}
	return findings
}

// HandWritten are the errors of a configuration that no state is known of, and warnings of what may be
// typing errors. They leave out what [WithoutState] does, but that two questions have one id.
func HandWritten(config survey.Fields) Findings {
	// Without a clock: whether a date has passed is nothing to warn of in a month.
	c := candidate{Fields: config}
	findings := runChecks(c)
	checkEnumerations(candidate{}, c, &findings)

	list := config.Questions.List()
	imported := slices.ContainsFunc(list, isIdentified)
	return slices.DeleteFunc(findings, func(f finding) bool {
		return f.severity != diag.SeverityError && !f.kind.mayBeTypo || f.kind != duplicateID && (f.question < 0 && imported || f.question >= 0 && isIdentified(list[f.question]))
	})
}

// isIdentified reports whether the configuration sets the id of a question. An unknown id
// counts.
func isIdentified(q survey.Question) bool {
	return q.ID.IsUnknown() || q.ID.ValueString() != ""
}

// MissingValues refuses null elements: Terraform's types allow them, and conditional
// expressions produce them. It reports whether there are none.
func MissingValues(questions survey.Questions, findings *Findings) bool {
	count := len(*findings)
	missing := func(p location, element attr.Value, want string) {
		if element.IsNull() {
			findings.errorf(p, missingValue, "is null, but must be %s.", want)
		}
	}

	for i, question := range questions.Elements() {
		if question.IsNull() {
			findings.errorf(atAttribute("questions").element(i), missingValue, "is null, but must be a question.")
		}
		p := atQuestion(i)
		for k, choice := range question.Choices.Elements() {
			missing(p.attribute("choices").element(k), choice, "a string")
		}
		for k, rule := range question.Validation.Elements() {
			missing(p.attribute("validation").element(k), rule, "a rule")
		}
		_, _, values := branchingParts(question)
		for _, key := range slices.Sorted(maps.Keys(values.Elements())) {
			missing(p.attribute("branching").attribute("response_values").mapKey(key), values.Elements()[key], "a target. To go to the next question, remove the key")
		}
	}
	return len(*findings) == count
}

// location is the location of a finding: the attribute that Terraform points at, and the
// path in the text, which may lead into the JSON of the attribute.
type location struct {
	path path.Path
	// question is the place of the question in the list, -1 outside of questions;
	// inside spells the rest of the way.
	question int
	inside   string
}

func atAttribute(attribute string) location {
	return location{path: path.Root(attribute), question: -1, inside: attribute}
}

func atQuestion(i int) location {
	return location{path: path.Root("questions").AtListIndex(i), question: i}
}

func (p location) attribute(name string) location {
	p.path = p.path.AtName(name)
	return p.key(name)
}

func (p location) element(i int) location {
	p.path = p.path.AtListIndex(i)
	return p.item(i)
}

func (p location) mapKey(key string) location {
	p.path = p.path.AtMapKey(key)
	p.inside += "[" + strconv.Quote(key) + "]"
	return p
}

// key is a key of an object inside the JSON of an attribute.
func (p location) key(name string) location {
	if p.inside != "" {
		name = p.inside + "." + name
	}
	p.inside = name
	return p
}

// item is an item of a list inside the JSON of an attribute.
func (p location) item(i int) location {
	p.inside += "[" + strconv.Itoa(i) + "]"
	return p
}

// last is the name of the attribute or key, without the indices after it.
func (p location) last() string {
	name := p.inside[strings.LastIndex(p.inside, ".")+1:]
	name, _, _ = strings.Cut(name, "[")
	return name
}

func (p location) String() string {
	switch {
	case p.question < 0:
		return p.inside
	case p.inside == "":
		return fmt.Sprintf("questions[%d]", p.question)
	}
	return fmt.Sprintf("questions[%d].%s", p.question, p.inside)
}

// finding is a result of a check at a location.
type finding struct {
	location
	severity diag.Severity
	kind     kind
	// text follows the name of the place in a sentence; remedy and after follow the text.
	text   string
	remedy remedy
	after  string
	// dedupKey distinguishes two findings with one title at one place: what was found
	// there, without its surroundings.
	dedupKey string
}

// Findings are the results of checks.
type Findings []finding

// errorf adds an error.
func (f *Findings) errorf(p location, about kind, format string, args ...any) *finding {
	return f.add(diag.SeverityError, p, about, fmt.Sprintf(format, args...))
}

// warnf adds a warning.
func (f *Findings) warnf(p location, about kind, format string, args ...any) *finding {
	return f.add(diag.SeverityWarning, p, about, fmt.Sprintf(format, args...))
}

func (f *Findings) add(severity diag.Severity, p location, about kind, text string) *finding {
	*f = append(*f, finding{location: p, severity: severity, kind: about, text: text, dedupKey: text})
	return &(*f)[len(*f)-1]
}

// without leaves out the findings of the prior state. priorIndex returns the prior index of a
// question, or -1.
func (f Findings) without(earlier Findings, priorIndex func(question int) int) Findings {
	type fingerprint struct {
		question         int
		kind             kind
		inside, dedupKey string
	}
	isEarlier := map[fingerprint]bool{}
	for _, e := range earlier {
		isEarlier[fingerprint{e.question, e.kind, e.inside, e.dedupKey}] = true
	}
	return slices.DeleteFunc(f, func(item finding) bool {
		question := item.question
		if question >= 0 {
			if question = priorIndex(question); question < 0 {
				return false
			}
		}
		return isEarlier[fingerprint{question, item.kind, item.inside, item.dedupKey}]
	})
}

// errors returns the findings that are errors.
func (f Findings) errors() Findings {
	return slices.DeleteFunc(f, func(item finding) bool { return item.severity != diag.SeverityError })
}

// Report adds the findings to diagnostics. The text contains the path too, since only newer
// versions of Terraform point at the line. So does the title of a warning, with the name of
// the survey: Terraform shows one of all warnings with the same title.
func (f Findings) Report(name types.String, diags *diag.Diagnostics) {
	for _, item := range f {
		detail := item.detail(inTerraform)
		if item.severity == diag.SeverityError {
			diags.AddAttributeError(item.path, item.kind.title, detail)
		} else {
			diags.AddAttributeWarning(item.path, survey.WarningTitle(item.kind.title, name, item.String()), detail)
		}
	}
}
