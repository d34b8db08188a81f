package yamldoc

import (
	"bytes"
	"errors"
	"strings"

	"go.yaml.in/yaml/v4"
)

// remedies maps parts of the library's error texts to explanations, because these errors have no types. The
// first match applies.
var remedies = []struct{ part, remedy string }{
	{"unknown anchor", "an alias (*NAME) needs an anchor (&NAME) before it. Define the anchor, or put a text that begins with * into quotes"},
	{"mapping values are not allowed", "a key is not allowed here. Put a text that contains \": \" into quotes, or correct the indentation"},
	{"mapping keys are not allowed", "a key is not allowed here. Put a text that begins with ? into quotes, or correct the indentation"},
	{"block sequence entries are not allowed", "a list is not allowed here. Begin it on a new line, or put a text that begins with - into quotes"},
	{"could not find expected ':'", "a key needs a colon and a space, as in name: value"},
	{"cannot start any token", "a text must not begin with this character. Put the text into quotes"},
	{"tab character", "a tab is not allowed as indentation. Use spaces"},
	{"expected ',' or ']'", "a list in brackets is not complete. Add a comma or ]"},
	{"expected ',' or '}'", "a mapping in braces is not complete. Add a comma or }"},
	{"expected node content", "a value is missing. Add the value, or close the bracket or brace"},
	{"expected key", "the indentation does not match the lines above, or a text in quotes is followed by more text"},
	{"expected '-' indicator", "the indentation of this line does not match the list above"},
	{"unexpected end of stream", "a text in quotes is not complete. Close the quotes"},
	{"unexpected document indicator", "a text in quotes is not complete. Close the quotes"},
	{"unknown escape character", "a text in double quotes contains an unknown escape sequence. Write \\\\ for a backslash, or use single quotes"},
	{"expected hex", "a text in double quotes contains an incomplete escape sequence. Write \\\\ for a backslash, or use single quotes"},
	{"expected <document start>", "this line does not belong to the YAML document above. Correct its indentation"},
}

// otherMistake explains all other library errors.
const otherMistake = "the YAML is not valid here. Check indentation, quotes, and brackets"

// syntaxError explains a library error, and adds the line.
func syntaxError(text []byte, err error) *Error {
	line := 1
	if located, ok := errors.AsType[*yaml.LoadError](err); ok {
		last := bytes.Count(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) + 1
		line = min(max(located.Mark.Line, 1), last)
	}
	for _, known := range remedies {
		if strings.Contains(err.Error(), known.part) {
			return Errorf(line, "%s", known.remedy)
		}
	}
	return Errorf(line, otherMistake)
}
