package attribute

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// invalid returns the title for an error about an attribute's value.
func invalid(p path.Path) string { return "Invalid " + lastName(p) }

// OneOf returns a validator that accepts only these strings.
func OneOf(values ...string) validator.String {
	return Text("one of "+alternatives(values), func(p path.Path, text string) (title, detail string) {
		if slices.Contains(values, text) {
			return "", ""
		}
		detail = fmt.Sprintf("%s is %q. Use %s.", p, text, alternatives(values))
		if meant, ok := Nearest(text, values); ok {
			detail += fmt.Sprintf(" Did you mean %s?", meant)
		}
		return invalid(p), detail
	})
}

// alternatives formats a list of names from which one must be chosen.
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

// LengthAtMost returns a validator that accepts strings of at most limit characters.
func LengthAtMost(limit int) validator.String {
	return Text(fmt.Sprintf("at most %d characters", limit), func(p path.Path, text string) (title, detail string) {
		if n := utf8.RuneCountInString(text); n > limit {
			return invalid(p), fmt.Sprintf("%s has %d characters. It can have at most %d.", p, n, limit)
		}
		return "", ""
	})
}

// Between returns a validator that accepts numbers from lowest to highest.
func Between(lowest, highest int64) validator.Int64 {
	return Number(fmt.Sprintf("a number from %d to %d", lowest, highest), func(p path.Path, value int64) (title, detail string) {
		if value < lowest || value > highest {
			return invalid(p), fmt.Sprintf("%s is %d. Use a number from %d to %d.", p, value, lowest, highest)
		}
		return "", ""
	})
}

// AtLeast returns a validator that accepts numbers of at least this value.
func AtLeast(least int64) validator.Int64 {
	return Number(fmt.Sprintf("a number of at least %d", least), func(p path.Path, value int64) (title, detail string) {
		if value < least {
			return invalid(p), fmt.Sprintf("%s is %d. Use %d or more.", p, value, least)
		}
		return "", ""
	})
}
