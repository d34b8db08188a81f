package client

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// IsSurveyID reports whether a text is the id of a survey: a UUID in its usual form. An id
// becomes part of addresses, labels and file names, so nothing else is taken for one,
// whoever says it.
func IsSurveyID(id string) bool {
	const usual = len("00000000-0000-0000-0000-000000000000")
	return len(id) == usual && uuid.Validate(id) == nil
}

// checkID refuses a survey whose id is none. Apps and flags have numbers, which the types
// of the contract hold.
func (a *response) checkID(id string) error {
	if !strings.HasPrefix(a.operation, "surveys_") || IsSurveyID(id) {
		return nil
	}
	return a.unusable(fmt.Sprintf("a survey whose id is not a UUID: %q", a.clean(id, 60)))
}

// idText is the id of an object of a list as text; empty for one without.
func idText(object any) string {
	switch object := object.(type) {
	case api.Survey:
		if object.ID != nil {
			return *object.ID
		}
	case api.PipelineImportApp:
		return numberText(object.ID)
	case api.FeatureFlagDetail:
		return numberText(object.ID)
	case json.RawMessage:
		if raw, ok := idOf[json.RawMessage](object); ok {
			return strings.Trim(string(raw), `"`)
		}
	}
	return ""
}

func numberText(id *int64) string {
	if id == nil {
		return ""
	}
	return fmt.Sprint(*id)
}

// mostRepeated is how many pages in a row may bring objects alone that were on pages
// before. One may, when objects are created while the list is read.
const mostRepeated = 3

// newObjects counts the pages of a list that bring nothing new.
type newObjects struct {
	seen     map[string]bool
	repeated int
}

// add adds the ids of a page, and reports whether the list still comes forward.
func (n *newObjects) add(ids []string) bool {
	before := len(n.seen)
	for _, id := range ids {
		n.seen[id] = true
	}
	if len(n.seen) > before {
		n.repeated = 0
		return true
	}
	n.repeated++
	return n.repeated < mostRepeated
}
