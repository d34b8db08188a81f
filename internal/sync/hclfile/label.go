package hclfile

import (
	"regexp"
	"strings"

	"github.com/gosimple/slug"
)

const (
	// longestLabel is how much of an object's name goes into the label of its resource.
	longestLabel = 40
	// suffixLength is how much of a survey's id does: the random end of a UUID, of which
	// the beginning may be a time.
	suffixLength = 8
)

// labelOf is the label of a resource: the name of the object in lower snake case and
// the end of its id. It depends on nothing else, so that it is the same at every
// export while the object has its name. otherwise replaces a name without letters.
func labelOf(name, id, otherwise string) string {
	return Word(name, otherwise) + "_" + suffix(id)
}

// SurveyLabel is the label of a survey's resource, for other files that are named after
// surveys: it is unique and stays the same while the survey has its name.
func SurveyLabel(name, id string) string { return labelOf(name, id, otherwise[SurveyType]) }

// longLabel is labelOf with the whole id, for the case that two objects of one name
// have ids with one end.
func longLabel(name, id, otherwise string) string {
	return Word(name, otherwise) + "_" + notInLabel.ReplaceAllString(strings.ReplaceAll(strings.ToLower(id), "-", "_"), "")
}

func suffix(id string) string {
	id = notInLabel.ReplaceAllString(strings.ReplaceAll(strings.ToLower(id), "-", ""), "")
	return id[max(0, len(id)-suffixLength):]
}

// notInLabel is what no label has. Ids are checked where objects are read; this is for
// those that come another way, since labels are code and names of files.
var notInLabel = regexp.MustCompile(`[^a-z0-9_]`)

// Word is a text in lower snake case, in ASCII, as an identifier: cut between two
// words if it is long, and otherwise for a text of which nothing is left.
func Word(text, otherwise string) string {
	word := strings.ReplaceAll(slug.Make(text), "-", "_")
	if len(word) > longestLabel {
		word = word[:longestLabel+1]
		word = word[:max(strings.LastIndexByte(word, '_'), longestLabel/2)]
	}
	word = strings.Trim(word, "_")

	switch {
	case word == "":
		return otherwise
	case word[0] >= '0' && word[0] <= '9':
		return otherwise + "_" + word
	}
	return word
}
