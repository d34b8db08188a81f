package keys

import (
	"path/filepath"
	"strings"
)

// Format is the language of a file.
type Format string

// The formats.
const (
	TypeScript  Format = "ts"
	Environment Format = "env"
	JSON        Format = "json"
	Markdown    Format = "markdown"
)

// Formats are all formats.
var Formats = []Format{TypeScript, Environment, JSON, Markdown}

var extensions = map[string]Format{
	".ts": TypeScript, ".mts": TypeScript, ".cts": TypeScript, ".env": Environment, ".json": JSON, ".md": Markdown,
}

// FormatOf is the format that the name of a file asks for; false if it says nothing.
func FormatOf(path string) (Format, bool) {
	base := filepath.Base(path)
	if base == ".env" || strings.HasPrefix(base, ".env.") {
		return Environment, true
	}
	format, ok := extensions[strings.ToLower(filepath.Ext(base))]
	return format, ok
}

// Render writes a file. Its surveys have names. The prefix begins the names of environment
// variables.
func Render(surveys []Survey, format Format, prefix string) ([]byte, error) {
	lines := nameLines(surveys)
	switch format {
	case JSON:
		return renderJSON(surveys)
	case Environment:
		return renderEnvironment(surveys, prefix, lines)
	case Markdown:
		return renderCodebook(surveys, lines), nil
	default:
		return renderTypeScript(surveys, lines), nil
	}
}

// remembered are the lines that remember names, as comments with the same beginning.
func remembered(comment string, lines []string) string {
	var b strings.Builder
	b.WriteString("\n" + comment + namesTitle + "\n")
	for _, line := range lines {
		b.WriteString(comment + line + "\n")
	}
	return b.String()
}
