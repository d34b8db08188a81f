package survey

import (
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// titleOf is the title of a warning about a survey, or about a place in it: Terraform folds
// warnings of one title into one, so a title names the thing.
func titleOf(title string, survey types.String, place ...string) string {
	about := append(slices.Clone(place), "of survey "+excerpt(survey))
	if len(place) == 0 {
		about = []string{excerpt(survey)}
	}
	return title + ": " + strings.Join(about, " ")
}
