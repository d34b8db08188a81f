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
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// candidate is a survey to check.
type candidate struct {
	survey.Fields
	// now is the time of the check. If it is zero, checks that depend on the time are skipped.
	now time.Time
	// stored contains the current filters of the survey's targeting flag.
	stored string
}

// Options are what the findings of a plan depend on besides the survey.
type Options struct {
	// Now is the time of the plan. If it is zero, checks that depend on the time are skipped.
	Now time.Time
	// IsHidden is set if the project does not show surveys. Findings about a launch are omitted.
	IsHidden bool
	// Responses counts the responses to the survey. It is called only if findings about a draft depend on them, because
	// a survey that was reset to draft keeps its responses. If it is nil, a draft has none.
	Responses func() responses.Number
}

// Plan reports values in a plan that PostHog would reject or misinterpret, and explains how the plan affects
// respondents.
//
// It runs the same checks on the prior state, and omits findings that also apply to the prior state. Values that
// PostHog returned are always accepted, so that every existing survey can be imported and kept unchanged. pairs
// matches the questions of both.
func Plan(config, planned, prior survey.Fields, pairs survey.QuestionPairs, options Options, diags *diag.Diagnostics) {
	if !prior.ID.IsNull() && planned.Equal(prior) {
		return // most plans change nothing
	}
	findings := plan(config, planned, prior, pairs, options, diags)
	if options.IsHidden {
		findings = slices.DeleteFunc(findings, func(f finding) bool { return f.kind == launches || f.kind == shownAgain })
	}
	findings.Report(planned.Name, diags)
}

// plan returns the findings that belong to an attribute. Warnings about the whole list of questions go to diags.
func plan(config, planned, prior survey.Fields, pairs survey.QuestionPairs, options Options, diags *diag.Diagnostics) Findings {
	if attribute.IsKnown(planned.ProjectID) && !prior.ProjectID.Equal(planned.ProjectID) {
		// After a move to another project, the survey is a new survey there.
		prior, pairs = survey.Fields{}, survey.QuestionPairs{}
	}

	if config.BaseLanguage.IsNull() && planned.BaseLanguage.IsUnknown() {
		planned.BaseLanguage = types.StringValue(defaultLanguage) // PostHog's default
	}

	old, current := newCandidate(prior, prior, options.Now), newCandidate(planned, prior, options.Now)

	findings := runChecks(current)
	if len(findings) > 0 && !prior.ID.IsNull() {
		earlier := runChecks(old)
		if planned.Status.ValueString() != survey.StatusRunning {
			// A draft does not hide other surveys. A type that a teammate edited in PostHog must not stop pull.
			retyped := old
			retyped.Type = current.Type
			checkHiding(retyped, &earlier)
		}
		if Launches(planned, prior) { // the prior survey was not shown, so it did not hide others
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
		checkAnswers(pairs, planned.Name, prior, options, &findings, diags)
	}
	return findings
}

func newCandidate(f, prior survey.Fields, now time.Time) candidate {
	return candidate{Fields: f, now: now, stored: survey.StoredFilters(prior)}
}

// runChecks runs every check that needs only one version of a survey.
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

// WithoutState returns warnings about values that a new survey's plan would reject. To keep imports and their later
// plans quiet, it omits:
//
//   - findings about questions whose ID is configured, and about surveys with such questions. Generated
//     configurations contain question IDs only for surveys that would not be valid as new surveys;
//   - warnings from the plan, because terraform plan also validates and would print them twice.
func WithoutState(config survey.Fields) Findings {
	findings := slices.DeleteFunc(HandWritten(config).errors(), func(f finding) bool { return f.kind == duplicateID })
	for i := range findings {
		findings[i].severity = diag.SeverityWarning
	}
	// The sentence applies to all warnings, so only the last one contains it.
	switch last := len(findings) - 1; {
	case last == 0:
		findings[last].after = " Unless the survey already has this value, the plan will fail."
	case last > 0:
		findings[last].after = " Unless the survey already has the values of all these warnings, the plan will fail."
	}
	return findings
}

// HandWritten returns the errors of a configuration without a state, and warnings about possible typing errors. It
// omits the same findings as [WithoutState], except for duplicate question IDs.
func HandWritten(config survey.Fields) Findings {
	// now is not set, because a warning about a date would appear or disappear over time.
	c := candidate{Fields: config}
	findings := runChecks(c)
	checkEnumerations(candidate{}, c, &findings)

	list := config.Questions.List()
	imported := slices.ContainsFunc(list, isIdentified)
	return slices.DeleteFunc(findings, func(f finding) bool {
		return f.severity != diag.SeverityError && !f.kind.mayBeTypo || f.kind != duplicateID && (f.question < 0 && imported || f.question >= 0 && isIdentified(list[f.question]))
	})
}

// NewErrors returns the errors that an update adds to a survey. Values that PostHog already stores are accepted, as in
// [Plan]. pairs contains the prior question of each planned one.
func NewErrors(planned, prior survey.Fields, pairs []identity.Pair) Findings {
	current, old := candidate{Fields: planned, stored: survey.StoredFilters(prior)}, candidate{Fields: prior, stored: survey.StoredFilters(prior)}
	findings := runChecks(current).without(runChecks(old), func(question int) int { return pairs[question].Index })
	checkEnumerations(old, current, &findings)
	return findings.errors()
}

// isIdentified reports whether the configuration sets the question's ID, even to an unknown value.
func isIdentified(q survey.Question) bool {
	return q.ID.IsUnknown() || q.ID.ValueString() != ""
}

// MissingValues adds errors for null elements, which Terraform's types allow and conditional expressions produce. It
// reports whether there are none.
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

// location is a finding's location: the attribute that Terraform points at, and the path in the text, which may
// continue in the attribute's JSON.
type location struct {
	path path.Path
	// question is the question's position in the list, or -1 outside of questions. inside is the rest of the path.
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

// key returns the location of an object key inside an attribute's JSON.
func (p location) key(name string) location {
	if p.inside != "" {
		name = p.inside + "." + name
	}
	p.inside = name
	return p
}

// item returns the location of a list item inside an attribute's JSON.
func (p location) item(i int) location {
	p.inside += "[" + strconv.Itoa(i) + "]"
	return p
}

// last returns the last attribute name or key in the path, without indexes.
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

// finding is the result of a check at a location.
type finding struct {
	location
	severity diag.Severity
	kind     kind
	// text continues a sentence that starts with the location. remedy and after follow the text.
	text   string
	remedy remedy
	after  string
	// dedupKey distinguishes findings with the same title at the same location. It contains the cause without its
	// context.
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

// without omits the findings that also apply to the prior state. priorIndex returns a question's prior index, or -1.
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

// Report adds the findings to diagnostics. The text contains the path, because only newer versions of Terraform point
// at the line. The title of a warning contains the path and the survey's name, because Terraform merges warnings with
// the same title.
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
