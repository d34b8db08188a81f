// Package appcode checks how an app's source code uses surveys: whether their IDs exist in PostHog, and
// whether answers stay attached to their questions. It matches strings and calls with patterns that work
// for every language. It reports values that pass through variables, but does not follow them. Start
// reading at [Check].
//
// The package sends no requests, and must not run the app's code.
package appcode

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/keys"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// The rules.
var (
	unknownSurvey    = review.Rule{Name: "unknown-survey", Severity: review.Error, Description: "No survey has this ID."}
	unknownQuestion  = review.Rule{Name: "unknown-question", Severity: review.Error, Description: "An answer is stored under a question ID that no survey has."}
	answerByPlace    = review.Rule{Name: "answer-by-place", Severity: review.Error, Description: "An answer is stored by the position of its question, which another question can have after the next edit."}
	askedAgain       = review.Rule{Name: "asked-again", Severity: review.Note, Description: `"survey sent" does not set $survey_responded/ID on the person, so PostHog offers the survey again.`}
	noSurveyID       = review.Rule{Name: "no-survey-id", Severity: review.Error, Description: `"survey sent", "survey shown" or "survey dismissed" has no $survey_id, so no survey counts it.`}
	noQuestionID     = review.Rule{Name: "no-question-id", Severity: review.Error, Description: `"survey sent" has no answer under the ID of a question.`}
	unknownChoice    = review.Rule{Name: "unknown-choice", Severity: review.Error, Description: "A question without an open choice gets an answer that is not one of its choices."}
	notRunning       = review.Rule{Name: "survey-not-running", Severity: review.Warning, Description: "A survey in the app's code is a draft, stopped, or archived, so PostHog shows it to no one."}
	unseenProperties = review.Rule{Name: "unseen-properties", Severity: review.Warning, Description: "Properties of an answer come from a variable, a spread, or a computed key, so they are not checked."}
)

// Rules returns the rules, sorted by name.
func Rules() []review.Rule {
	return []review.Rule{answerByPlace, askedAgain, noQuestionID, noSurveyID, notRunning, unknownChoice, unknownQuestion, unknownSurvey, unseenProperties}
}

// Check reads an app's source code in a directory, and compares it with a source's surveys. It sorts
// findings by file and line, and skips the rules in disabled.
func Check(ctx context.Context, dir string, objects []source.Object, disabled []string) ([]review.Finding, error) {
	c := checker{surveys: map[string]source.Object{}, questions: map[string]review.Question{}, inOrder: map[string][]review.Question{}}
	for _, object := range objects {
		if object.Kind != source.Survey {
			continue
		}
		if object.ID == "" {
			return nil, fmt.Errorf("survey %q does not have an ID yet, which the app needs. Compare with live, tf:DIR, or a snapshot", object.Name)
		}
		questions, err := review.Questions(object)
		if err != nil {
			return nil, err
		}
		c.surveys[strings.ToLower(object.ID)] = object
		c.inOrder[strings.ToLower(object.ID)] = questions
		for _, q := range questions {
			c.questions[q.ID] = q
		}
	}

	var files []file
	var isSource bool
	err := sources(ctx, dir, func(name, text string) {
		if keys.IsGenerated(text) {
			c.modules = append(c.modules, strings.TrimSuffix(path.Base(name), path.Ext(name)))
			return
		}
		isSource = true
		if surveyWord.MatchString(text) || uuid.MatchString(text) {
			files = append(files, file{checker: &c, name: name, text: withoutComments(name, text)})
		}
	})
	if err == nil && !isSource && len(c.modules) == 0 {
		err = fmt.Errorf("%s does not contain source files of an app, which end with %s", dir, strings.Join(extensions, ", "))
	}

	findings := []review.Finding{}
	for _, f := range files {
		f.hasKeys = f.importsKeys()
		f.surveyIDs()
		f.answers()
		f.submissions()
		slices.SortStableFunc(f.found, func(a, b review.Finding) int { return a.Line - b.Line })
		findings = append(findings, f.found...)
	}
	return slices.DeleteFunc(findings, func(finding review.Finding) bool { return slices.Contains(disabled, finding.Rule) }), err
}

// checker holds the source's surveys.
type checker struct {
	// surveys and inOrder map survey IDs to surveys and their questions. questions maps question IDs.
	surveys   map[string]source.Object
	inOrder   map[string][]review.Question
	questions map[string]review.Question
	// modules contains the names of the files that posthog-sync keys generated.
	modules []string
}

// file is a file of the app.
type file struct {
	*checker
	name, text string
	// hasKeys is set if the file imports constants from a generated file. Their types restrict the answers.
	hasKeys bool
	found   []review.Finding
}

// surveyWord matches files that use surveys.
var surveyWord = regexp.MustCompile(`(?i)survey`)

// imported matches the last part of a module's path.
var imported = regexp.MustCompile("(?:from|import|require)\\b[\\s(]*[\"'](?:[^\"'\\n]*/)?([^\"'/\\n]+?)(?:\\.[jt]sx?)?[\"']")

// importsKeys reports whether the file imports a file that posthog-sync keys generated.
func (f *file) importsKeys() bool {
	return slices.ContainsFunc(imported.FindAllStringSubmatch(f.text, -1), func(module []string) bool { return slices.Contains(f.modules, module[1]) })
}

// report adds a finding of a rule at an offset. It adds only one finding per line.
func (f *file) report(rule review.Rule, offset int, format string, args ...any) {
	finding := review.Finding{Rule: rule.Name, Severity: rule.Severity, File: f.name, Line: f.line(offset), Message: fmt.Sprintf(format, args...)}
	if !slices.Contains(f.found, finding) {
		f.found = append(f.found, finding)
	}
}

// hasFinding reports whether a rule already has a finding on an offset's line.
func (f *file) hasFinding(rule review.Rule, offset int) bool {
	line := f.line(offset)
	return slices.ContainsFunc(f.found, func(finding review.Finding) bool { return finding.Rule == rule.Name && finding.Line == line })
}

func (f *file) line(offset int) int { return 1 + strings.Count(f.text[:offset], "\n") }

var (
	commentLine = regexp.MustCompile(`(?m)^[ \t]*(//|/?\*|<!--).*$`)
	hashLine    = regexp.MustCompile(`(?m)^[ \t]*#.*$`)
)

// withoutComments replaces comment lines with spaces, so that offsets and line numbers do not change. In
// Python and Ruby, a line that begins with * is not a comment. Elixir has the same comments as Ruby.
func withoutComments(name, text string) string {
	comment := commentLine
	if slices.Contains([]string{".py", ".rb", ".ex", ".exs"}, strings.ToLower(path.Ext(name))) {
		comment = hashLine
	}
	return comment.ReplaceAllStringFunc(text, func(line string) string { return strings.Repeat(" ", len(line)) })
}

var (
	uuid = regexp.MustCompile(`\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b`)
	// surveyName matches the text before a survey's ID: $survey_id: ", renderSurvey(", SURVEY = ",
	// SURVEY = { id: ".
	surveyName = regexp.MustCompile("(?i)([\\w$]*survey[\\w$]*)[\"'\\])]*\\s*(:\\s*[\\w<>.| ]+)?(=>|:?=|:|\\(|,|\\?\\?|\\|\\||\\bto\\b)\\s*[{(]?\\s*(?:[\"']?id[\"']?:\\s*)?[\"'`]$")
	// namedID matches the survey ID next to $survey_id.
	namedID = regexp.MustCompile("\\$survey_id[\"'`\\])]*\\s*(?:=>|=|:|,|\\bto\\b)\\s*[\"']([^\"'\\n]+)[\"']")
	// otherName matches the name of an ID that does not belong to a survey.
	otherName = regexp.MustCompile(`(?i)response|question|answer|project|team|user|submission`)
)

// surveyIDs finds survey IDs.
func (f *file) surveyIDs() {
	for _, match := range uuid.FindAllStringIndex(f.text, -1) {
		id := strings.ToLower(f.text[match[0]:match[1]])
		if survey, ok := f.surveys[id]; ok {
			if state := describeState(survey); state != "running" {
				f.report(notRunning, match[0], "survey %q is %s, so PostHog shows it to no one", survey.Name, state)
			}
			continue
		}
		name := surveyName.FindStringSubmatch(f.text[max(0, match[0]-120):match[0]])
		if _, isQuestion := f.questions[id]; name != nil && !isQuestion && !otherName.MatchString(name[1]) {
			f.report(unknownSurvey, match[0], "no survey has the ID %s", id)
		}
	}
	for _, match := range namedID.FindAllStringSubmatchIndex(f.text, -1) {
		if id := f.text[match[2]:match[3]]; !uuid.MatchString(id) {
			f.report(unknownSurvey, match[0], "no survey has the ID %s", id)
		}
	}
}

// describeState describes a survey's status in a sentence.
func describeState(survey source.Object) string {
	status, _ := source.Plain(survey.Attributes["status"]).(string)
	switch archived, _ := source.Plain(survey.Attributes["archived"]).(bool); {
	case archived:
		return "archived"
	case status == "draft":
		return "a draft"
	case status == "completed":
		return "stopped"
	}
	return "running"
}
