package export

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// BenchmarkExport exports one of a thousand surveys, and all of them.
func BenchmarkExport(b *testing.B) {
	source := &fakeSource{}
	for n := range 1000 {
		source.surveys = append(source.surveys, survey(n, fmt.Sprint("Survey ", n)))
	}
	for name, selects := range map[string]func(string) bool{"one": func(name string) bool { return name == "Survey 7" }, "all": nil} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				directory, err := code.ReadDirectory(b.TempDir(), false)
				require.NoError(b, err)
				options := all()
				options.Selects = selects
				_, err = Run(b.Context(), source, directory, options)
				require.NoError(b, err)
			}
		})
	}
}
