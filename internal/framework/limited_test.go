package framework

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// A list has as many results as its limit allows, in their order, and a warning on the last
// of them exactly when others were left out, or could not be read.
func TestLimited(t *testing.T) {
	t.Parallel()
	failure := list.ListResult{Diagnostics: diag.Diagnostics{diag.NewErrorDiagnostic("Could not list", "")}}

	rapid.Check(t, func(t *rapid.T) {
		limit, there := rapid.IntRange(0, 5).Draw(t, "limit"), rapid.IntRange(0, 7).Draw(t, "there")
		fails := rapid.Bool().Draw(t, "fails")
		var pushed []list.ListResult
		limited := limited{Limit: int64(limit), Plural: "surveys", Push: func(r list.ListResult) bool {
			pushed = append(pushed, r)
			return true
		}}

		more := true
		for i := 0; more && i < there; i++ {
			more = limited.Add(list.ListResult{DisplayName: fmt.Sprint(i)})
		}
		if more && fails {
			more = limited.Fail(failure)
		} else if more {
			more = limited.End()
		}

		stopped := limit > 0 && (there > limit || there == limit && fails)
		want := there
		if limit > 0 {
			want = min(there, limit)
		}
		assert.Equal(t, limit == 0 || there < limit, more, "more results may follow")
		if fails && more {
			assert.Equal(t, failure, pushed[len(pushed)-1])
			pushed = pushed[:len(pushed)-1]
		}
		require.Len(t, pushed, want)
		for i, result := range pushed {
			assert.Equal(t, fmt.Sprint(i), result.DisplayName)
			assert.Equal(t, stopped && i == want-1, result.Diagnostics.WarningsCount() == 1)
			assert.False(t, result.Diagnostics.HasError())
		}
	})
}
