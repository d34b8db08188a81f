package survey

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// TitleOf is the title of a warning about a survey, or about a place in it: Terraform folds
// warnings of one title into one, so a title names the thing.
func TitleOf(title string, survey types.String, place ...string) string {
	about := append(slices.Clone(place), "of survey "+Excerpt(survey))
	if len(place) == 0 {
		about = []string{Excerpt(survey)}
	}
	return title + ": " + strings.Join(about, " ")
}

// Excerpt quotes a text, or the beginning of a long one.
func Excerpt(text types.String) string {
	const most = 60
	if runes := []rune(text.ValueString()); len(runes) > most {
		return fmt.Sprintf("%q", string(runes[:most])+"...")
	}
	return fmt.Sprintf("%q", text.ValueString())
}
