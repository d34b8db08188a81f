package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/answers"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// For any edits in PostHog and in a YAML file, answers stay with their questions through sync and export.
func TestYAMLKeepsAnswersAtRandom(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	answers.Check(t, func(*rapid.T) answers.Adapter {
		return &yamlAnswers{Server: answers.NewServer(srv, testserver.Hosted), T: t, file: filepath.Join(t.TempDir(), "surveys.yaml")}
	})
}

// yamlAnswers is a survey in a YAML file.
type yamlAnswers struct {
	*answers.Server
	*testing.T

	file string
}

// Commands implements [answers.Adapter].
func (y *yamlAnswers) Commands() []answers.Command {
	return []answers.Command{answers.Plan, answers.Apply, answers.Export}
}

// HasState implements [answers.Adapter]. A sync has no state: it uses only the file and PostHog.
func (y *yamlAnswers) HasState() bool { return false }

// Run implements [answers.Adapter].
func (y *yamlAnswers) Run(_ *rapid.T, command answers.Command, code []answers.Question) answers.Report {
	if !slices.EqualFunc(y.questions(), code, isSameQuestion) {
		y.write(code)
	}

	switch command {
	case answers.Plan:
		exit, output := y.runCommand("sync", "file:"+y.file, "live", "--dry-run")
		report := reportOfOutput(exit, output)
		report.IsEmpty = !strings.Contains(output, "update survey")
		return report
	case answers.Export:
		report := reportOfOutput(y.runCommand("export", "--to", "yaml", "--force", y.file))
		report.Code, report.HasLog = y.questions(), true
		return report
	default:
		return y.sync()
	}
}

// sync runs a sync. If a guard stopped it, sync runs it again with --allow-detached-answers, as a user who has read
// the list would.
func (y *yamlAnswers) sync() answers.Report {
	args := []string{"sync", "file:" + y.file, "live", "--yes"}
	exit, output := y.runCommand(args...)
	if exit == codeRefused {
		var allowed string
		exit, allowed = y.runCommand(append(args, "--allow-detached-answers")...)
		output += allowed
	}
	return reportOfOutput(exit, output)
}

func (y *yamlAnswers) runCommand(args ...string) (exit int, output string) {
	exit, stdout, stderr := commandLine(y.T, y.Context(), y.Instance, args...)
	return exit, stdout + stderr
}

// write writes the file as JSON, which is valid YAML.
func (y *yamlAnswers) write(code []answers.Question) {
	questions := []any{}
	for _, q := range code {
		fields := q.Attributes()
		if text, ok := fields["translations"].(string); ok {
			fields["translations"] = json.RawMessage(text)
		}
		questions = append(questions, fields)
	}
	text, err := json.Marshal(map[string]any{"surveys": []any{
		map[string]any{"name": "NPS", "type": "popover", "status": "running", "questions": questions},
	}})
	if err != nil {
		y.Fatal(err)
	}
	if err := os.WriteFile(y.file, text, 0o600); err != nil {
		y.Fatal(err)
	}
}

func (y *yamlAnswers) questions() []answers.Question {
	text, err := os.ReadFile(y.file)
	if err != nil {
		return nil
	}
	var document struct {
		Surveys []struct{ Questions []map[string]any }
	}
	if err := yaml.Unmarshal(text, &document); err != nil {
		y.Fatal(err)
	}
	var questions []answers.Question
	for _, survey := range document.Surveys {
		for _, fields := range survey.Questions {
			questions = append(questions, answers.FromFields(fields))
		}
	}
	return questions
}
