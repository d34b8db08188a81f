package cli

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
)

// Every reason has words, which name the sides and not A and B.
func TestReasonsHaveWords(t *testing.T) {
	t.Parallel()
	for _, code := range reconcile.ReasonCodes() {
		reason := reconcile.Reason{Code: code, Name: "only B", ID: "7", Organization: "in A ", Where: "x in .", Err: errors.New("in A only B")}
		text := reasonText(reason, "live:a", "live:b")
		assert.NotEmpty(t, text, code)
		assert.NotContains(t, text, "_", "words, and no code")
	}
	assert.Len(t, reasonWords, len(reconcile.ReasonCodes()))

	assert.Empty(t, reasonText(reconcile.Reason{}, "live:a", "live:b"))
	assert.Equal(t, "only live:b has it", reasonText(reconcile.Reason{Code: reconcile.OnlyInB}, "live:a", "live:b"))
	taken := reconcile.Reason{Code: reconcile.NameTaken, Name: "only B in A ", ID: "7"}
	assert.Equal(t, `the name "only B in A " is taken by survey 7, which keeps it`, reasonText(taken, "live:a", "live:b"), "a name is no prose")
}
