package code_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// BenchmarkSurvey measures the export of one survey with five questions.
func BenchmarkSurvey(b *testing.B) {
	wire := surveyIn(b, "nps.json")
	b.ReportAllocs()
	for b.Loop() {
		object, err := code.Survey(b.Context(), wire, "1", code.Options{})
		if err != nil {
			b.Fatal(err)
		}
		object.Bytes()
	}
}

// TestSurvey checks a survey's complete configuration.
func TestSurvey(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]code.Options{
		"nps.tf":        {},
		"nps_places.tf": {BranchingByPlace: true, QuestionIDs: true},
	} {
		object, err := code.Survey(t.Context(), surveyIn(t, "nps.json"), "1", options)
		require.NoError(t, err)
		require.Equal(t, map[string]int64{"new-dashboard": 7}, object.Flags)

		path := filepath.Join("testdata", name)
		if os.Getenv("UPDATE_GOLDEN") != "" {
			require.NoError(t, os.WriteFile(path, append(object.Bytes(), '\n'), 0o600))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(want), string(object.Bytes())+"\n")
	}
}

func surveyIn(t testing.TB, name string) api.Survey {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	var wire api.Survey
	require.NoError(t, json.Unmarshal(text, &wire))
	return wire
}
