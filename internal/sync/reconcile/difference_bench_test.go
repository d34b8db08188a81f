package reconcile_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// BenchmarkDiffOfRewordedQuestions compares a survey of 100 questions with its translation in another project.
func BenchmarkDiffOfRewordedQuestions(b *testing.B) {
	asked := func(text string) object {
		var questions []any
		for i := range 100 {
			questions = append(questions, question("", "open", fmt.Sprintf(text, i, i*i)))
		}
		return object{"questions": questions}
	}
	english := []source.Object{survey("1", "a", "Product", asked("Question %d: how satisfied are you with the speed of part %d of our product?"))}
	german := []source.Object{survey("2", "b", "Product", asked("Frage %d: Wie zufrieden sind Sie damit, wie schnell Teil %d unseres Produkts ist?"))}

	for b.Loop() {
		_, summary := reconcile.Diff(english, german, true)
		require.Equal(b, 1, summary.Changed)
	}
}
