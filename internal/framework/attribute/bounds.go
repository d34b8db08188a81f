package attribute

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// invalid is the title of an error about the value of an attribute.
func invalid(at path.Path) string { return "Invalid " + lastName(at) }

// OneOf takes these values of a string.
func OneOf(values ...string) validator.String {
	return Text("one of "+alternatives(values), func(at path.Path, text string) (title, detail string) {
		if slices.Contains(values, text) {
			return "", ""
		}
		detail = fmt.Sprintf("%s is %q. Use %s.", at, text, alternatives(values))
		if meant, ok := Nearest(text, values); ok {
			detail += fmt.Sprintf(" Did you mean %s?", meant)
		}
		return invalid(at), detail
	})
}

// alternatives lists names, of which one is meant.
func alternatives(names []string) string {
	switch n := len(names); n {
	case 1:
		return names[0]
	case 2:
		return names[0] + " or " + names[1]
	default:
		return strings.Join(names[:n-1], ", ") + ", or " + names[n-1]
	}
}

// LengthAtMost takes strings of at most so many characters.
func LengthAtMost(most int) validator.String {
	return Text(fmt.Sprintf("at most %d characters", most), func(at path.Path, text string) (title, detail string) {
		if n := utf8.RuneCountInString(text); n > most {
			return invalid(at), fmt.Sprintf("%s has %d characters. It can have at most %d.", at, n, most)
		}
		return "", ""
	})
}

// Between takes numbers of this range, its ends included.
func Between(least, most int64) validator.Int64 {
	return Number(fmt.Sprintf("a number from %d to %d", least, most), func(at path.Path, value int64) (title, detail string) {
		if value < least || value > most {
			return invalid(at), fmt.Sprintf("%s is %d. Use a number from %d to %d.", at, value, least, most)
		}
		return "", ""
	})
}

// AtLeast takes this number and greater ones.
func AtLeast(least int64) validator.Int64 {
	return Number(fmt.Sprintf("a number of at least %d", least), func(at path.Path, value int64) (title, detail string) {
		if value < least {
			return invalid(at), fmt.Sprintf("%s is %d. Use %d or more.", at, value, least)
		}
		return "", ""
	})
}
