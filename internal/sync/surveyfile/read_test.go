package surveyfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// read reads a text. Errors and warnings call the file FILE.
func read(t *testing.T, text string) (objects []source.Object, warnings []string, err string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "surveys.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	objects, failed := Read(t.Context(), file, func(warning string) {
		warnings = append(warnings, strings.ReplaceAll(warning, file, "FILE"))
	})
	if failed != nil {
		err = strings.ReplaceAll(failed.Error(), file, "FILE")
	}
	return objects, warnings, err
}

const first = "surveys:\n  - name: NPS\n    type: popover\n"

func TestMistakesHaveLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                      "line 1: the file is empty. It must be a mapping with surveys",
		"- NPS":                                 "line 1: the file must be a mapping with surveys",
		"surveys:\n":                            "line 1: surveys is missing. Add a list, or [] for no surveys",
		"surveys: {}":                           "line 1: surveys must be a list",
		"survey: []":                            "line 1: survey is not supported. The nearest key is surveys",
		"surveys:\n  - namee: NPS":              "line 2: surveys[0].namee is not supported. The nearest key is name",
		"surveys:\n  - type: popover":           "line 2: surveys[0].name is missing. Every survey has one.",
		"surveys:\n  -\n":                       "line 2: surveys[0] is empty. It must be a mapping",
		first + "    type: widget":              `line 4: the key "type" is already in line 3. Use each key only once in a mapping`,
		first + "    status: runs":              `line 4: surveys[0].status is "runs". Use draft, running, or completed.`,
		first + "    linked_flag_id: -1":        "line 4: surveys[0].linked_flag_id is -1. Use a number from 0 to 2147483647.",
		first + "    linked_flag_id: a":         `line 4: surveys[0].linked_flag_id is "a". It must be a whole number of at most 64 bits`,
		first + "    archived: yes":             `line 4: surveys[0].archived is "yes". It must be true or false`,
		first + "    archived: [true]":          "line 4: surveys[0].archived is a list. It must be one value",
		first + "  - {name: x, type: popver}":   `line 4: surveys[1].type is "popver". Known values: popover, widget, external_survey, api. Did you mean popover?`,
		first + "  - {name: 'NPS ', type: api}": `line 4: surveys[1].name is "NPS ", but the survey in line 2 already has this name`,
		first + "    questions: {}":             "line 4: surveys[0].questions must be a list",
		first + "    questions:\n      - []":    "line 5: surveys[0].questions[0] must be a mapping",
		first + "    questions:\n      -":       "line 5: surveys[0].questions[0] is null. It must be an object",
		first + "    questions:\n      - {type: single_choice, question: A?,\n         choices: [true, b]}":                                                                                  `line 6: surveys[0].questions[0].choices[0] is true, not a text. Write "true" in quotes`,
		first + "    questions:\n      - {type: single_choice, question: A?, choices: [a, b],\n         has_open_choice: yes}":                                                               `line 6: surveys[0].questions[0].has_open_choice is "yes". It must be true or false`,
		first + "    questions:\n      - type: open\n        question: 1.50":                                                                                                                 `line 6: surveys[0].questions[0].question is 1.50, not a text. Write "1.50" in quotes`,
		first + "    questions:\n      - {type: open, question: A?, branching: {type: specific_question, question: bda}}\n      - {name: bad, type: open, question: B?}":                     `line 5: surveys[0].questions[0].branching.question is "bda", but no question has that name. The nearest name is "bad"`,
		first + "    questions:\n      - type: rating\n        question: A?\n        branching:\n          type: response_based\n          response_values:\n            detractors: true\n": "line 10: surveys[0].questions[0].branching.response_values[\"detractors\"] must be the name of a question, a position such as 0, or end",
		first + "    questions:\n      - {id: a, type: open, question: A?}\n      - {id: a, type: open, question: B?}":                                                                       "line 6: surveys[0].questions[1].id is already the ID of questions[0]",
		first + "    appearance: &a {b: *a}": "line 4: the alias *a is inside its own anchor",
		first + "---\nsurveys: []":           "line 4: the file contains a second YAML document. Remove it, or move it to another file",
		first + "    appearance: '{}'":       `line 4: surveys[0].appearance is "{}". It must be a mapping`,
		first + "    questions:\n      - {type: open, question: A?, branching: {type: specific_question}}": "Set the name of the question, and refer to it with question: NAME.",
		first + "    targeting_flag_id: 1\n    targeting_flag_filters: {groups: []}":                       "targeting_flag_id conflicts with targeting_flag_filters",
		first + "    description: \"a\\0\"":                                                                "line 4: the text contains the character NUL",
		"surveys:\n  - {name: A, <<: [1]}":                                                                 "line 2: << requires a mapping or a list of mappings, but this is a number",
	} {
		_, _, err := read(t, text)
		assert.Contains(t, err, want, text)
		for line := range strings.SplitSeq(err, "\n") {
			assert.Regexp(t, `^FILE: line \d+: `, line, text)
		}
	}
}

func TestAllMistakesAreReported(t *testing.T) {
	t.Parallel()
	_, _, err := read(t, `surveys:
  - name: A
    typ: popover
    archived: yes
    questions:
      - {type: open, question: 1, optional: no}
  - name: B
    type: popover
    questions:
      - {name: a, type: open, question: Why?, branching: {type: specific_question, question: c}}
      - {name: a, type: open, question: Why?, branching: {type: specific_question, question: d}}
  - name: C
    type: popver
    status: runs
    status: "a\0"
---
`+"# \a\n")
	assert.Equal(t, `FILE: line 3: surveys[0].typ is not supported. The nearest key is type
FILE: line 4: surveys[0].archived is "yes". It must be true or false
FILE: line 6: surveys[0].questions[0].question is 1, not a text. Write "1" in quotes
FILE: line 6: surveys[0].questions[0].optional is "no". It must be true or false
FILE: line 11: surveys[1].questions[1].name is "a", which is the name of questions[0] already
FILE: line 13: surveys[2].type is "popver". Known values: popover, widget, external_survey, api. Did you mean popover?
FILE: line 14: surveys[2].status is "runs". Use draft, running, or completed.
FILE: line 15: the key "status" is already in line 14. Use each key only once in a mapping
FILE: line 16: the file contains a second YAML document. Remove it, or move it to another file
FILE: line 17: the line contains control characters: U+0007. Remove them`, err)
}

func TestWarningsHaveLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		first + "    appearance:\n      backgroundColour: red":                             "FILE: line 5: surveys[0].appearance.backgroundColour is not a known key. Did you mean appearance.backgroundColor?",
		first + "    appearance: {submitButtonText: 1.10}":                                 "FILE: line 4: surveys[0].appearance.submitButtonText is 1.10. Write it as a string, in quotes.",
		first + "    translations:\n      de: {nme: X}":                                    "FILE: line 5: surveys[0].translations.de.nme is not a text that PostHog stores in translations",
		"x-look: &look\n  backgroundColour: red\n" + first + "    appearance: {<<: *look}": "FILE: line 2: surveys[0].appearance.backgroundColour is not a known key. Did you mean appearance.backgroundColor?",
	} {
		_, warnings, err := read(t, text)
		require.Empty(t, err, text)
		require.Len(t, warnings, 1, text)
		assert.Contains(t, warnings[0], want, text)
	}
}

// A file that shares values with merge keys contains the same surveys as a file without them.
func TestMergeKeysAreResolvedEverywhere(t *testing.T) {
	t.Parallel()
	_, _, err := read(t, "x-a: 1\nx-b: {c: [d]}\nsurveys: []")
	require.Empty(t, err, "top-level keys that begin with x- must be ignored")

	for name, c := range map[string]struct{ merged, written string }{
		"survey": {
			"x-a: &a {type: popover, archived: true}\nsurveys: [{<<: *a, name: A, archived: false}]",
			"surveys: [{name: A, type: popover, archived: false}]",
		},
		"several": {
			"x-a: &a {type: popover}\nx-b: &b {type: api, description: D}\nsurveys: [{name: A, <<: [*a, *b]}]",
			"surveys: [{name: A, type: popover, description: D}]",
		},
		"filters": {
			"x-pro: &pro {properties: [{key: plan, type: person, operator: exact, value: [pro]}]}\n" +
				"surveys: [{name: A, type: popover, targeting_flag_filters: {groups: [{<<: *pro, rollout_percentage: 50}]}}]",
			"surveys: [{name: A, type: popover, targeting_flag_filters: {groups: [{properties: [{key: plan, type: person, operator: exact, value: [pro]}], rollout_percentage: 50}]}}]",
		},
		"conditions": {
			"x-c: &c {url: /billing, urlMatchType: icontains}\nsurveys: [{name: A, type: popover, conditions: {<<: *c, seenSurveyWaitPeriodInDays: 30}}]",
			"surveys: [{name: A, type: popover, conditions: {url: /billing, urlMatchType: icontains, seenSurveyWaitPeriodInDays: 30}}]",
		},
		"appearance": {
			"surveys:\n  - {name: A, type: popover, appearance: &look {position: left, zIndex: '5'}}\n  - {name: B, type: popover, appearance: {<<: *look, position: right}}",
			"surveys:\n  - {name: A, type: popover, appearance: {position: left, zIndex: '5'}}\n  - {name: B, type: popover, appearance: {position: right, zIndex: '5'}}",
		},
		"translations": {
			"x-de: &de {name: N}\nsurveys: [{name: A, type: popover, translations: {de: {<<: *de}}, questions: [{type: open, question: Q, translations: {de: {<<: {question: F}}}}]}]",
			"surveys: [{name: A, type: popover, translations: {de: {name: N}}, questions: [{type: open, question: Q, translations: {de: {question: F}}}]}]",
		},
		"question, branching, and validation": {
			"x-q: &q {type: rating, scale: 5, display: number, branching: &b {type: response_based, response_values: &r {negative: end}}}\n" +
				"surveys: [{name: A, type: popover, questions: [{<<: *q, question: A?}, {<<: *q, question: B?, branching: {<<: *b, response_values: {<<: *r, positive: end}}}, {type: open, question: C?}]}]",
			"surveys: [{name: A, type: popover, questions: [{type: rating, scale: 5, display: number, question: A?, branching: {type: response_based, response_values: {negative: end}}}," +
				"{type: rating, scale: 5, display: number, question: B?, branching: {type: response_based, response_values: {negative: end, positive: end}}}, {type: open, question: C?}]}]",
		},
		"the file": {"x-all: &all {surveys: [{name: A, type: popover}]}\n<<: *all", "surveys: [{name: A, type: popover}]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, _, err := read(t, c.written)
			require.Empty(t, err)
			objects, warnings, err := read(t, c.merged)
			require.Empty(t, err)
			assert.Empty(t, warnings)
			assert.Equal(t, want, objects)
		})
	}
}
