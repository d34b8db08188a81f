package cli

import (
	"bytes"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

const (
	// markdownLimit bounds a report in Markdown: the comments of code hosts hold 65,536
	// characters.
	markdownLimit = 60_000
	// sectionsLimit leaves room for the line that counts the sections that do not fit.
	sectionsLimit = markdownLimit - 200
)

// writeWhatFits writes items as long as the page stays within a limit. Those that do not fit
// are counted in a line that begins with a text.
func writeWhatFits[T any](b *bytes.Buffer, limit int, items []T, before, noun string, write func(*bytes.Buffer, T)) {
	for i, item := range items {
		written := b.Len()
		write(b, item)
		if b.Len() > limit {
			b.Truncate(written)
			fmt.Fprintf(b, "%s%s more: too long for a comment.\n", before, count(len(items)-i, noun))
			return
		}
	}
}

// markdownText is a text from outside in a line of Markdown.
func markdownText(text string) string { return escape.Markdown(text) }
