package tfplan

import (
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// A failed run saves a plan without the objects that have errors. Both forms of such a plan are refused: the saved
// plan, which Terraform shows, and its JSON.
func TestPlanOfAFailedRunIsRefused(t *testing.T) {
	t.Parallel()
	for errored, want := range map[string]error{`true`: errFailed, `false`: nil} {
		text := `{"format_version": "1.2", "planned_values": {}, "resource_changes": [], "applyable": false, "complete": false, "errored": ` + errored + `}`
		assert.ErrorIs(t, jsonvalue.Walk(strings.NewReader(text), Visitor(&tfjson.Plan{}, nil)), want, text)
		_, err := Parse([]byte(text))
		assert.ErrorIs(t, err, want, text)
	}
}
