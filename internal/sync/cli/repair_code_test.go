package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// withoutIDs returns questions as a client that does not support IDs sends them.
func withoutIDs(list []any) []any {
	for _, q := range list {
		delete(q.(fields), "id")
	}
	return list
}

func (p pulled) requireEmptyPlan() {
	p.t.Helper()
	_, planned := p.cli.Exit("plan", "-detailed-exitcode", "-no-color", "-input=false")
	assert.Zero(p.t, planned)
}

// A repair follows three saves without IDs, one of which was pulled. Afterwards, the plan is empty, whether or not
// the configuration sets IDs.
func TestAccRepairAndPlan(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	ids := p.ids()
	repair := func(args ...string) string {
		exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, append([]string{"repair", "NPS", "--yes", "--terraform", p.cli.Path()}, args...)...)
		require.Equal(t, codeDone, exit, "%s\n%s", stdout, stderr)
		return stdout
	}

	p.edit(withoutIDs)
	assert.NotEqual(t, ids, p.ids())
	repair()
	assert.Equal(t, ids, p.ids())
	p.requireEmptyPlan()

	p.edit(withoutIDs)
	exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
	require.Equal(t, codeDone, exit, "%s\n%s", stdout, stderr)
	repair("--state", p.cli.Dir, "--write-ids", p.cli.Dir)
	assert.Equal(t, ids, p.ids())
	code, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)
	for id := range strings.FieldsSeq(ids) {
		assert.Contains(t, string(code), `"`+id+`"`)
	}
	p.requireEmptyPlan()
	assert.Contains(t, repair("--write-ids", p.cli.Dir), "Nothing to repair")
	again, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)
	assert.Equal(t, string(code), string(again))

	p.edit(withoutIDs)
	repair("--write-ids", p.cli.Dir)
	assert.Equal(t, ids, p.ids())
	p.requireEmptyPlan()
}

// A survey was imported after its answers were detached, so its state contains only the new IDs. After a repair, the
// plan is empty without IDs in the configuration, and the report confirms this. If no activity log shows the restored
// IDs, repair asks you to write them to the configuration.
func TestAccRepairOfAnAdoptedCut(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Hosted, testserver.Documented} {
		env := acctest.Start(t, acctest.Profile(profile))
		p := pulled{t, env, env.CLI(t)}
		id := env.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover", "start_date": "2026-01-01T00:00:00Z", "questions": []any{
			fields{"id": "q1", "type": "open", "question": "How was support?"}, fields{"id": "q2", "type": "open", "question": "Anything else?"},
		}})["id"].(string)
		run := func(args ...string) (int, string) {
			exit, stdout, stderr := commandLine(t, t.Context(), env.Instance, append(args, "--kind", "surveys")...)
			return exit, stdout + stderr
		}
		snapshot := filepath.Join(t.TempDir(), "before.json")
		exit, output := run("snapshot", snapshot)
		require.Zero(t, exit, output)
		p.edit(func(list []any) []any {
			for i, question := range list {
				question.(fields)["id"] = fmt.Sprint("new", i)
			}
			return list
		})

		p.cli.Write("main.tf", `terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

import {
  to = posthog_survey.s
  id = "`+id+`"
}

resource "posthog_survey" "s" {
  name   = "NPS"
  type   = "popover"
  status = "running"
  questions = [
    { type = "open", question = "How was support?" },
    { type = "open", question = "Anything else?" },
  ]
}
`)
		p.apply()
		assert.Equal(t, "new0 new1", p.ids())
		args := []string{"repair", "NPS", "--yes", "--terraform", p.cli.Path(), "--state", p.cli.Dir}
		if profile == testserver.Documented {
			args = append(args, "--snapshot", snapshot, "--question", "new0=q1", "--question", "new1=q2")
			exit, output = run(args...)
			assert.Equal(t, codeRefused, exit, output)
			assert.Contains(t, output, "its state does not contain the ID q1")
			assert.Equal(t, "new0 new1", p.ids())
			args = append(args, "--write-ids", p.cli.Dir)
		}
		exit, output = run(args...)
		require.Zero(t, exit, output)
		assert.Contains(t, output, "its next plan keeps the IDs")
		assert.Equal(t, "q1 q2", p.ids())
		p.requireEmptyPlan()
	}
}

// A YAML export writes the IDs that have the answers, and reports this: over an earlier export, to a new file, and to
// standard output.
func TestYAMLExportStatesTheIDsWithTheAnswers(t *testing.T) {
	t.Parallel()
	r := newRepaired(t, testserver.Hosted)
	own, other := filepath.Join(t.TempDir(), "surveys.yaml"), filepath.Join(t.TempDir(), "other.yaml")
	code, _, stderr := r.run("export", "--to", "yaml", own)
	require.Zero(t, code, stderr)

	r.save(withoutIDs)

	for _, to := range []string{own, other, "--stdout"} {
		code, text, stderr := r.run("export", "--to", "yaml", "--force", to)
		if to != "--stdout" {
			raw, err := os.ReadFile(to)
			require.NoError(t, err)
			text = string(raw)
		}
		assert.Equal(t, codeDifferences, code, stderr)
		for _, id := range []string{likely, why, picked} {
			assert.Contains(t, text, "id: "+id+"\n")
		}
		assert.Contains(t, stderr, "posthog-sync repair NPS --yes")
	}
}

// If a reworded question is a different question, --question NEW=NEW with --write-ids writes the new ID, so that the
// next plan keeps it.
func TestAccRepairWritesAKeptID(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	p.edit(func(list []any) []any {
		list[1].(fields)["question"] = "Anything else that we should know?"
		return withoutIDs(list)
	})
	exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
	require.Equal(t, codeDifferences, exit, "%s\n%s", stdout, stderr)
	kept := strings.Fields(p.ids())[1]

	exit, stdout, stderr = commandLine(t, t.Context(), p.env.Instance,
		"repair", "NPS", "--yes", "--terraform", p.cli.Path(), "--question", kept+"="+kept, "--write-ids", p.cli.Dir)
	require.Equal(t, codeDone, exit, "%s\n%s", stdout, stderr)
	code, err := os.ReadFile(filepath.Join(p.cli.Dir, "main.tf"))
	require.NoError(t, err)
	assert.Contains(t, string(code), `"`+kept+`"`)
	assert.Equal(t, kept, strings.Fields(p.ids())[1])
	p.requireEmptyPlan()
}
