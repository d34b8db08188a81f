package export

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// After any sequence of added, renamed, and deleted surveys, and of full and partial exports, the last export
// contains each survey once, at a unique address. moved blocks lead from every previously applied address to that
// address.
func TestExportsFollowNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		names := map[int]string{}
		seen := map[int]map[code.Address]bool{} // all addresses of each survey

		for range rapid.IntRange(1, 6).Draw(rt, "rounds") {
			for range rapid.IntRange(0, 3).Draw(rt, "edits") {
				n := rapid.IntRange(1, 4).Draw(rt, "survey")
				if names[n] = rapid.SampledFrom([]string{"", "A", "B", "C"}).Draw(rt, "name"); names[n] == "" {
					delete(names, n)
				}
			}
			source := &fakeSource{}
			for _, n := range slices.Sorted(maps.Keys(names)) {
				source.surveys = append(source.surveys, survey(n, names[n]))
			}
			options := all()
			options.FilePerObject = rapid.Bool().Draw(rt, "a file per object")
			exportAll(rt, dir, source, options)

			directory, err := code.ReadDirectory(dir, false)
			require.NoError(rt, err)
			checkAddresses(rt, directory, source.surveys, seen)
		}
	})
}

func exportAll(t *rapid.T, dir string, source Source, o Options) {
	directory, err := code.ReadDirectory(dir, false)
	require.NoError(t, err)
	_, err = Run(t.Context(), source, directory, o)
	require.NoError(t, err)
}

func checkAddresses(t *rapid.T, directory *code.Directory, surveys []api.Survey, seen map[int]map[code.Address]bool) {
	require.Len(t, directory.Exported, len(surveys))
	owners := map[code.Address]int{}
	for _, s := range surveys {
		exported, ok := directory.Exported[code.Key{Type: code.SurveyType, ImportID: "1/" + *s.ID}]
		require.True(t, ok, *s.ID)
		n := int((*s.ID)[len(*s.ID)-1] - '0')
		require.NotContains(t, owners, exported.Address)
		owners[exported.Address] = n
		if seen[n] == nil {
			seen[n] = map[code.Address]bool{}
		}
		for former := range seen[n] {
			if former != exported.Address {
				require.Contains(t, directory.Former(exported.Address), former, "the former addresses of %s do not contain %s", exported.Address, former)
			}
		}
		seen[n][exported.Address] = true
	}
	// For the export, a survey that is deleted and created again is a new survey.
	for n := range seen {
		if !slices.Contains(slices.Collect(maps.Values(owners)), n) {
			delete(seen, n)
		}
	}
}
