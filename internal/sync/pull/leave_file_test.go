package pull

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// If pull cannot write an edit, the difference remains, and the lock does not record it. pull still writes other
// files.
func TestEditsOfAFileThatIsNotWrittenAreLeft(t *testing.T) {
	t.Parallel()
	finding := func(file string, outcome code.Outcome) Finding {
		return Finding{File: file, Finding: code.Finding{Outcome: outcome, Attribute: "name"}}
	}
	p := pull{findings: []Finding{finding("a.tf", code.Edited), finding("b.tf", code.Edited), finding("a.tf", code.Pending)}}
	p.leaveFile("a.tf", errors.New("a.tf is not edited"))

	assert.Equal(t, []code.Outcome{code.Unresolved, code.Edited, code.Pending}, []code.Outcome{p.findings[0].Outcome, p.findings[1].Outcome, p.findings[2].Outcome})
	assert.Equal(t, "a.tf is not edited", p.findings[0].Reason)
}
