package check

import (
	"strings"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

const longestName = 400

// checkName checks the length of a name in characters, without surrounding white space, as
// the service does.
func checkName(s candidate, found *Findings) {
	if !attribute.IsKnown(s.Name) {
		return
	}
	switch length := utf8.RuneCountInString(strings.TrimSpace(s.Name.ValueString())); {
	case length == 0:
		found.errorf(atAttribute("name"), "Missing name", "is blank. Every survey needs a name.")
	case length > longestName:
		found.errorf(atAttribute("name"), "Name too long", "has %d characters. It can have %d at most.", length, longestName)
	}
}
