package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// Which side has many objects alone is said once; few say it each.
func TestDiffSaysOnceWhatManyHaveInCommon(t *testing.T) {
	t.Parallel()
	for number, times := range map[int]int{1: 1, 5: 5, 6: 1, 151: 1} {
		report := diffReport{A: "file:a.json", B: "live", Summary: reconcile.Summary{Extra: number, Same: 2}}
		for i := range number {
			report.Objects = append(report.Objects, reconcile.Object{Kind: side.Survey, Name: fmt.Sprint("S", i), Change: reconcile.Extra})
		}
		var text bytes.Buffer
		report.Text(&text)
		assert.Equal(t, times, strings.Count(text.String(), "in live alone"), text.String())
		assert.Equal(t, number, strings.Count(text.String(), `+ survey "S`))
		assert.Contains(t, text.String(), fmt.Sprintf("0 missing, %d extra, 0 changed, 2 the same.", number))
	}
}
