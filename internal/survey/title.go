package survey

import (
	"fmt"
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

// excerpt quotes a text, or the beginning of a long one.
func excerpt(text types.String) string {
	const most = 60
	if runes := []rune(text.ValueString()); len(runes) > most {
		return fmt.Sprintf("%q", string(runes[:most])+"...")
	}
	return fmt.Sprintf("%q", text.ValueString())
}
