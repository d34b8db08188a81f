package page

import "encoding/json"

// Detail is a request with its response.
type Detail struct {
	Entry

	Request, Response Message
	// Curl is the command that sends the request again, without its key.
	Curl string
	// Newer and Older are the numbers of the requests beside it in the list; 0 for none.
	Newer, Older int64
	// IsWhole is set when there is more than the entry.
	IsWhole bool
}

// Message is a request or a response.
type Message struct {
	// Header has the fields in the form of HTTP, without keys; Fields is their number.
	Header string
	Fields int
	// Body is indented when it is JSON; a note replaces a body that was not kept.
	Body string
}

// Fails reports whether the response says that the request failed, so that a rule can repeat
// it.
func (d Detail) Fails() bool { return d.Status >= 400 }

// maxProblem is the length of the longest error in the list.
const maxProblem = 300

// ProblemOf reads the attribute and the text of an error.
func ProblemOf(body []byte) (attr, detail string) {
	var failure struct{ Attr, Detail any }
	if json.Unmarshal(body, &failure) != nil {
		return "", ""
	}
	attr, _ = failure.Attr.(string)
	detail, _ = failure.Detail.(string)
	return cut(attr, maxProblem), cut(detail, maxProblem)
}

// cut is a text without what is beyond a number of characters.
func cut(text string, length int) string {
	if runes := []rune(text); len(runes) > length {
		return string(runes[:length]) + " …"
	}
	return text
}
