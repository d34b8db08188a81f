package cli

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// What sync would map, and has mapped, is no difference: each mapping takes its own away, and
// after a sync with all of them nothing is left.
func TestDiffMapsWhatSyncMaps(t *testing.T) {
	t.Parallel()
	s := newTwoSides(t, testserver.Hosted)
	postSurvey(t, s.a, fields{
		"name": "Linked", "type": "popover", "linked_flag_id": 3,
		"conditions": fields{"actions": fields{"values": []any{fields{"id": 4, "name": "signed up"}}}},
		"targeting_flag_filters": fields{"groups": []any{fields{"variant": "", "rollout_percentage": 50, "properties": []any{
			fields{"key": "id", "type": "cohort", "value": 5}, fields{"key": "3", "type": "flag", "value": true, "operator": "flag_evaluates_to"},
		}}}},
	})
	maps := []string{"--map-flag", "a-only=b-only", "--map-flag", "3=b-only", "--map-action", "signed up=1", "--map-cohort", "5=15"}
	s.sync(codeDone, append(maps, "--yes")...)
	s.b.ResetJournal()
	diff := func(want int, flags ...string) string {
		code, stdout, stderr := s.run(append([]string{"diff", "live:a", "live:b"}, flags...)...)
		require.Equal(t, want, code, stdout+stderr)
		return stdout + stderr
	}

	out := diff(codeDone, maps...)
	assert.Contains(t, out, "0 missing, 0 extra, 0 changed, 1 the same.")
	assert.NotContains(t, out, "Warning")
	for i, path := range []string{"linked_flag_id", `.key: "3" -> `, "conditions.actions", ".value: 5 -> 15"} {
		without := append(append([]string{}, maps[:2*i]...), maps[2*i+2:]...)
		assert.Contains(t, diff(codeDifferences, without...), path)
	}
	for i, flags := range [][]string{{"--map-flag", "a-only=beta"}, {"--map-flag", "3=beta"}, {"--map-action", "signed up=14"}, {"--map-cohort", "5=16"}} {
		changed := append(append(append([]string{}, maps[:2*i]...), maps[2*i+2:]...), flags...)
		diff(codeDifferences, changed...)
	}

	out = diff(codeDone, append(maps, "--map-flag", "betta=beta", "--map-action", "left=4", "--map-cohort", "6=15")...)
	for _, flag := range []string{"--map-flag betta=beta", "--map-action left=4", "--map-cohort 6=15"} {
		assert.Contains(t, out, "Warning: "+flag+" has no effect: no survey of live:a")
	}
	code, _, stderr := s.run("diff", "live:a", "live:b", "--map-flag", "3=nothing")
	assert.Equal(t, codeError, code)
	assert.Contains(t, stderr, `live:b has no feature flag "nothing"`)
	for _, request := range s.b.Journal() {
		assert.Equal(t, http.MethodGet, request.Method)
	}
}
