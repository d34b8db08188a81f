package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A section that is measured again stands in place of the old one, and a new one at its place;
// the rest of the document stays.
func TestWithSections(t *testing.T) {
	t.Parallel()
	first, last := sections[0].title, sections[len(sections)-1].title
	middle := sections[3].title
	document := "# Benchmarks\n\nOf a machine.\n\n## " + first + "\n\nold\n\n## " + last + "\n\nold\n"
	newer := "# Benchmarks\n\nOf another run.\n\n## " + middle + "\n\nnew\n\n## " + last + "\n\nnew\n"
	require.Equal(t, "# Benchmarks\n\nOf a machine.\n\n## "+first+"\n\nold\n\n## "+middle+"\n\nnew\n\n## "+last+"\n\nnew\n", withSections(document, newer))

	kept, err := os.ReadFile("../../../BENCHMARKS.md")
	require.NoError(t, err)
	require.Equal(t, string(kept), withSections(string(kept), "# Benchmarks\n"))
	_, parts := sectionsOf(string(kept))
	require.Equal(t, strings.Count(string(kept), "\n"+heading), len(parts))
}
