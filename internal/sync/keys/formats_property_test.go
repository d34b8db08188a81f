package keys

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	testify "github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// projects generates several projects, so that a test can check them in one run.
func projects(number int) [][]Survey {
	generator := rapid.Custom(func(t *rapid.T) []Survey { return read(t, drawProject(t), nil) })
	var all [][]Survey
	for i := range number {
		all = append(all, generator.Example(i))
	}
	return all
}

func TestJSONFitsItsSchema(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join("..", "..", "..", "schemas", "posthog-sync-keys.schema.json"))
	testify.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	testify.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	testify.NoError(t, compiler.AddResource("keys.json", document))
	schema, err := compiler.Compile("keys.json")
	testify.NoError(t, err)

	rapid.Check(t, func(t *rapid.T) {
		file := render(t, read(t, drawProject(t), nil), JSON)
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(file))
		testify.NoError(t, err)
		testify.NoError(t, schema.Validate(document), file)
	})
}

// The generated TypeScript compiles and contains the exact texts.
func TestTypeScriptCompiles(t *testing.T) {
	t.Parallel()
	files, surveys := map[string]string{}, map[string][]Survey{}
	for i, project := range projects(40) {
		name := fmt.Sprintf("p%d.ts", i)
		files[name], surveys[name] = render(t, project, TypeScript), project
	}
	assert.Empty(t, browsertest.TypeScriptErrors(t, files))

	for name, exports := range browsertest.TypeScriptExports(t, files) {
		for _, survey := range surveys[name] {
			requireConstant(t, exports[camel(survey.Name)], survey)
		}
	}
}

// requireConstant compares a survey's constant with the survey.
func requireConstant(t *testing.T, raw json.RawMessage, survey Survey) {
	t.Helper()
	valid := func(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

	var constant struct {
		ID, Name string
		// RespondedKey is not in the JSON if it is a function.
		RespondedKey string
		Questions    map[string]struct {
			ID, Key, Type string
			OpenChoice    *string
			Choices       []string
			Scale         []int
		}
	}

	testify.NoError(t, json.Unmarshal(raw, &constant))
	assert.Equal(t, survey.ID, constant.ID)
	assert.Equal(t, valid(survey.Title), constant.Name)
	if !survey.IsRecurring {
		assert.Equal(t, valid(survey.RespondedKey()), constant.RespondedKey)
	}
	testify.Len(t, constant.Questions, len(survey.Questions))

	for _, question := range survey.Questions {
		written := constant.Questions[camel(question.Name)]
		assert.Equal(t, valid(question.ID), written.ID)
		assert.Equal(t, valid(question.Key()), written.Key)
		assert.Equal(t, question.Scale, written.Scale)
		testify.Len(t, written.Choices, len(question.Choices))
		for i, choice := range question.Choices {
			assert.Equal(t, valid(choice), written.Choices[i])
		}
		assert.Equal(t, question.OpenChoice == nil, written.OpenChoice == nil)
	}
}

// A shell reads each value unchanged, and executes no part of it.
func TestShellReadsEnvironment(t *testing.T) {
	t.Parallel()
	var script, want strings.Builder
	for _, project := range projects(50) {
		script.WriteString("(:\n" + render(t, project, Environment))
		for _, survey := range project {
			for _, question := range survey.Questions {
				name := screaming(survey.Name, question.Name)
				script.WriteString("printf '%s\\0' \"${" + name + "_TYPE-}\" \"${" + name + "_KEY-}\" \"${" + name + "_CHOICES-}\"\n")
				want.WriteString(wantedVariables(t, question))
			}
		}
		script.WriteString(")\n")
	}

	shell := exec.CommandContext(t.Context(), "sh")
	shell.Dir, shell.Stdin = t.TempDir(), strings.NewReader(script.String())
	var failed bytes.Buffer
	shell.Stderr = &failed
	printed, err := shell.Output()
	testify.NoError(t, err, failed.String())
	assert.Empty(t, failed.String())
	assert.Equal(t, strings.Split(want.String(), "\x00"), strings.Split(string(compactChoices(t, printed)), "\x00"))
	left, err := os.ReadDir(shell.Dir)
	testify.NoError(t, err)
	assert.Empty(t, left)
}

// wantedVariables returns the expected values of a question's variables.
func wantedVariables(t *testing.T, question Question) string {
	t.Helper()
	key, choices := question.Key(), ""
	if _, ok := escape.EnvironmentValue(key); !ok {
		key = ""
	}
	if question.IsChoice() {
		encoded, err := json.Marshal(question.Choices)
		testify.NoError(t, err)
		choices = string(encoded)
	}
	kind := string(question.Kind)
	return kind + "\x00" + key + "\x00" + choices + "\x00"
}

// compactChoices converts JSON to the encoding of this test.
func compactChoices(t *testing.T, printed []byte) []byte {
	t.Helper()
	values := bytes.Split(printed, []byte{0})
	for i, value := range values {
		if !bytes.HasPrefix(value, []byte("[")) {
			continue
		}
		var choices []string
		testify.NoError(t, json.Unmarshal(value, &choices), string(value))
		encoded, err := json.Marshal(choices)
		testify.NoError(t, err)
		values[i] = encoded
	}
	return bytes.Join(values, []byte{0})
}

// A codebook contains only the intended headings and tables. Texts add no Markdown.
func TestCodebookIsMarkdown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		surveys := read(t, drawProject(t), nil)
		page := property.Render(t, render(t, surveys, Markdown))
		questions := 0
		for _, survey := range surveys {
			questions += len(survey.Questions)
		}
		counts := map[string]int{}
		for _, element := range page.Elements() {
			counts[element]++
		}
		assert.Equal(t, 1, counts["h1"])
		assert.Equal(t, len(surveys), counts["h2"])
		assert.Equal(t, questions, counts["h3"])
		assert.Equal(t, len(surveys)+questions, counts["table"])
		assert.Equal(t, 2, counts["comment"])
		assert.Zero(t, counts["a"]+counts["img"]+counts["script"]+counts["ul"]+counts["ol"]+counts["pre"]+counts["details"])
		assert.Empty(t, page.References())
	})
}
