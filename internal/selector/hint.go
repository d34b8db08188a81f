package selector

import (
	"regexp"
	"strings"
)

// hints maps syntax from other selector languages to the CSS equivalent.
var hints = []struct {
	written *regexp.Regexp
	advice  string
}{
	{regexp.MustCompile(`^\s*(text|xpath|css|role|id|data-testid)\s*=`), "Playwright's selector engines are not CSS. Use an attribute of the element, such as [data-testid=\"buy\"]"},
	{regexp.MustCompile(`^\s*\(*\.?//?`), "XPath is not CSS. Use an attribute of the element, such as [data-testid=\"buy\"]"},
	{regexp.MustCompile(`:(contains|has-text|text|eq|first|last|gt|lt|even|odd|visible|hidden|button|input|submit|checkbox|radio|selected|parent|header|animated)($|[^\w-])`),
		"only jQuery and test tools support it. Use an attribute of the element, such as [data-testid=\"buy\"]"},
	{regexp.MustCompile(`\[[^\]"'=]*=\s*[^\]"'\sa-zA-Z_]`), "write the value of an attribute in quotes, such as [data-id=\"5\"]"},
	{regexp.MustCompile(`[.#]-?\d`), `a class or an ID that begins with a digit is written as an attribute, such as [id="1st"]`},
	{regexp.MustCompile(`\.[\w-]+(\\?:|\\?/|\[)`), `a class with a character such as : or / is written with a backslash before it, such as .sm\:flex`},
}

// findHint returns advice on a selector that browsers reject, or an empty string.
func findHint(source string) string {
	for _, hint := range hints {
		if hint.written.MatchString(source) {
			return hint.advice
		}
	}
	if strings.TrimSpace(source) == "" {
		return "remove it, or add an element"
	}
	return ""
}
