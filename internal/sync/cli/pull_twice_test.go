package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// If a question was pulled but not applied, the next pull can move it, even together with a new question. A second
// pull changes nothing.
func TestAccPullMovesWhatWasPulled(t *testing.T) {
	t.Parallel()
	p := newPulled(t)
	p.env.SetClock(time.Now().Add(time.Hour))
	p.edit(func(list []any) []any {
		return append([]any{map[string]any{"type": "open", "question": "Which feature do you miss?"}}, list...)
	})
	p.pull()

	p.env.SetClock(time.Now().Add(2 * time.Hour))
	p.edit(func(list []any) []any {
		return []any{list[1], map[string]any{"type": "rating", "question": "How likely?", "display": "emoji", "scale": 5}, list[0], list[2]}
	})
	ids := p.ids()
	code := p.pull()
	assert.Equal(t, code, p.pull())
	p.apply()
	assert.Equal(t, ids, p.ids())
}

// A question that was edited in the configuration is kept through any number of pulls, even if the question is
// deleted in PostHog and others are added.
func TestAccPullKeepsWhatTheCodeChanged(t *testing.T) {
	t.Parallel()
	for _, change := range [][2]string{
		{`question = "How was support?"`, `question = "How was our support?"`},
		{`question = "How was support?"`, `question = "How was support?", description = "Be honest."`},
	} {
		p := newPulled(t)
		file := filepath.Join(p.cli.Dir, "main.tf")
		before, err := os.ReadFile(file)
		require.NoError(t, err)
		p.cli.Write("main.tf", strings.Replace(string(before), change[0], change[1], 1))

		p.env.SetClock(time.Now().Add(time.Hour))
		p.edit(func(list []any) []any {
			return asking("Who?")(asking("When?")(asking("Which feature do you miss?")(list[1:])))
		})
		var codes []string
		for range 3 {
			exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
			assert.Equal(t, codeDifferences, exit, "%s\n%s", stdout, stderr)
			assert.Contains(t, stdout, "conflict")
			after, err := os.ReadFile(file)
			require.NoError(t, err)
			codes = append(codes, string(after))
		}
		assert.Contains(t, codes[0], change[1])
		assert.Contains(t, codes[0], "Which feature do you miss?")
		assert.Equal(t, []string{codes[0], codes[0]}, codes[1:])
	}
}

// A question that was added and deleted in PostHog is kept in the configuration if the configuration sets values that
// PostHog never had.
func TestAccPullComesAndGoesButForTheCode(t *testing.T) {
	t.Parallel()
	for _, isEdited := range []bool{true, false} {
		p := newPulled(t)
		file := filepath.Join(p.cli.Dir, "main.tf")
		p.env.SetClock(time.Now().Add(time.Hour))
		p.edit(func(list []any) []any {
			return append(list, map[string]any{"type": "single_choice", "question": "Which?", "description": "One.", "choices": []any{"a", "b"}})
		})
		code := p.pull()
		if isEdited {
			code = strings.Replace(code, `"One."`, `"One of both."`, 1)
			p.cli.Write("main.tf", code)
		}

		p.env.SetClock(time.Now().Add(2 * time.Hour))
		p.edit(func(list []any) []any { return list[:2] })
		exit, stdout, stderr := commandLine(t, t.Context(), p.env.Instance, "pull", p.cli.Dir, "--terraform", p.cli.Path())
		after, err := os.ReadFile(file)
		require.NoError(t, err)
		if isEdited {
			assert.Equal(t, codeDifferences, exit, "%s\n%s", stdout, stderr)
			assert.Equal(t, code, string(after))
			continue
		}
		assert.Zero(t, exit, "%s\n%s", stdout, stderr)
		assert.NotContains(t, string(after), "Which?")
	}
}
