package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/answers"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/answers/inprocess"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// For any edits in PostHog and in a configuration, answers stay with their questions through pull, apply, import, and
// repair.
func TestPullKeepsAnswersAtRandom(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Hosted, testserver.Documented} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile))
			answers.Check(t, func(*rapid.T) answers.Adapter {
				return &directoryAnswers{Provider: inprocess.New(t, env, profile), T: t, env: env, dir: t.TempDir()}
			})
		})
	}
}

// directoryAnswers is a directory with a survey that Terraform and posthog-sync manage.
type directoryAnswers struct {
	*inprocess.Provider
	*testing.T

	env *acctest.Env
	dir string
}

// Commands implements [answers.Adapter].
func (d *directoryAnswers) Commands() []answers.Command {
	return append(d.Provider.Commands(), answers.Pull, answers.Repair)
}

// Run implements [answers.Adapter].
func (d *directoryAnswers) Run(t *rapid.T, command answers.Command, code []answers.Question) answers.Report {
	if len(d.read()) == 0 || !slices.EqualFunc(d.questions(), code, isSameQuestion) {
		d.write(code)
	}

	switch command {
	case answers.Pull:
		exit, output := d.runCommand("pull", d.dir)
		report := reportOfOutput(exit, output)
		report.IsPending = slices.ContainsFunc(report.Messages, func(line string) bool {
			return strings.HasPrefix(line, "pending ") || strings.HasPrefix(line, "conflict ")
		})
		report.Code = d.questions()
		report.HasLog = d.IsHosted
		return report
	case answers.Repair:
		exit, output := d.runCommand("repair", d.SurveyID(), "--yes", "--state", d.dir)
		return reportOfOutput(exit, output)
	default:
		return d.Provider.Run(t, command, code)
	}
}

// isSameQuestion compares the fields of questions that a file contains.
func isSameQuestion(q, other answers.Question) bool {
	q.Who = other.Who
	return q == other
}

// reportOfOutput splits a command's output into one message per line.
func reportOfOutput(exit int, output string) answers.Report {
	report := answers.Report{}
	if exit == codeError {
		report = inprocess.Failure(output)
	}
	report.Messages = strings.Split(output, "\n")
	return report
}

// runCommand runs posthog-sync. The provider computes plans in this process.
func (d *directoryAnswers) runCommand(args ...string) (exit int, output string) {
	p := testProgram(d.T, d.env.Instance)
	p.getwd = func() (string, error) { return d.dir, nil }
	p.planner = func(_ context.Context, _ environment.Environment, _ string, reader *pull.Reader, _ planning) (*tfjson.Plan, error) {
		run := d.PlanRun(d.config())
		if run.Plan.Diagnostics.HasError() {
			return nil, fmt.Errorf("%s", run.Plan.Diagnostics.Text())
		}
		var plan tfjson.Plan
		err := json.Unmarshal(run.Resource.PlanJSON(d.T, run.Plan), &plan)
		reader.Private = run.Resource.Private(d.T)
		for _, change := range plan.ResourceChanges {
			err = errors.Join(err, reader.Add(&plan, change))
		}
		return &plan, err
	}
	exit, stdout, stderr := runProgram(d.T, d.Context(), p, d.env.Instance, append(args, "--kind", "surveys")...)
	return exit, stdout + stderr
}

func (d *directoryAnswers) path() string { return filepath.Join(d.dir, "main.tf") }

func (d *directoryAnswers) read() []byte {
	text, err := os.ReadFile(d.path())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.Fatal(err)
	}
	return text
}

// write writes the file as a user who edits the questions would.
func (d *directoryAnswers) write(code []answers.Question) {
	var list strings.Builder
	for _, q := range code {
		attributes := q.Attributes()
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(attributes)) {
			value, err := json.Marshal(attributes[name])
			if err != nil {
				d.Fatal(err)
			}
			if text, ok := attributes[name].(string); ok && name == "translations" {
				value = []byte("jsonencode(" + text + ")")
			}
			fields = append(fields, fmt.Sprintf("%s = %s", name, value))
		}
		fmt.Fprintf(&list, "    { %s },\n", strings.Join(fields, ", "))
	}
	text := "resource \"posthog_survey\" \"this\" {\n  name   = \"NPS\"\n  type   = \"popover\"\n  status = \"running\"\n\n  questions = [\n" + list.String() + "  ]\n}\n"
	if err := os.WriteFile(d.path(), []byte(text), 0o600); err != nil {
		d.Fatal(err)
	}
}

// config returns the arguments that the file sets.
func (d *directoryAnswers) config() map[string]any {
	file, diags := hclsyntax.ParseConfig(d.read(), "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		d.Fatalf("%s\n%s", diags, d.read())
	}
	body, _ := file.Body.(*hclsyntax.Body)
	functions := &hcl.EvalContext{Functions: map[string]function.Function{"jsonencode": stdlib.JSONEncodeFunc}}
	config := map[string]any{}
	for name, argument := range body.Blocks[0].Body.Attributes {
		value, diags := argument.Expr.Value(functions)
		if diags.HasErrors() {
			d.Fatalf("%s\n%s", diags, d.read())
		}
		text, err := ctyjson.Marshal(value, cty.DynamicPseudoType)
		if err != nil {
			d.Fatal(err)
		}
		var decoded struct{ Value any }
		if err := json.Unmarshal(text, &decoded); err != nil {
			d.Fatal(err)
		}
		config[name] = decoded.Value
	}
	return config
}

func (d *directoryAnswers) questions() []answers.Question {
	list, _ := d.config()["questions"].([]any)
	questions := make([]answers.Question, len(list))
	for i, one := range list {
		fields, _ := one.(map[string]any)
		questions[i] = answers.FromFields(fields)
	}
	return questions
}
