package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// How the framework's JSON type words the error of a text that is no JSON: it names no
// place, and prints the whole text, which may be sensitive.
const (
	invalidJSON = "Invalid JSON String Value"
	givenValue  = "Given Value: "
)

// placeInvalidJSON rewords the errors of texts that are no JSON: where, and what is wrong there.
func placeInvalidJSON(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		_, text, found := strings.Cut(d.Detail, givenValue)
		if d.Summary != invalidJSON || !found {
			continue
		}
		d.Summary = "Invalid JSON"
		d.Detail = fmt.Sprintf("%s is not valid JSON: %s. jsonencode({ ... }) writes JSON that is always valid.", attributeName(d.Attribute), jsonFault(strings.TrimSuffix(text, "\n")))
	}
}

// attributeName is a path as a configuration writes it.
func attributeName(at *tftypes.AttributePath) string {
	var name strings.Builder
	for _, step := range at.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			if name.Len() > 0 {
				name.WriteString(".")
			}
			name.WriteString(string(step))
		case tftypes.ElementKeyInt:
			fmt.Fprintf(&name, "[%d]", int64(step))
		case tftypes.ElementKeyString:
			fmt.Fprintf(&name, "[%q]", string(step))
		}
	}
	return name.String()
}

// jsonFault says where a text stops to be JSON, and why, without repeating the text.
func jsonFault(text string) string {
	var whole any
	var syntax *json.SyntaxError
	err := json.Unmarshal([]byte(text), &whole)
	switch {
	case strings.TrimSpace(text) == "":
		return "the text is empty"
	case !errors.As(err, &syntax):
		return fmt.Sprint(err)
	case syntax.Offset >= int64(len(text)) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		return "the text ends too early: a bracket or a quotation mark is not closed"
	}

	// The offset counts the bytes that were read, the wrong one included.
	before := text[:max(int(syntax.Offset)-1, 0)]
	line := strings.Count(before, "\n") + 1
	column := len([]rune(before[strings.LastIndex(before, "\n")+1:])) + 1
	wrong := text[len(before):]
	if strings.HasSuffix(strings.TrimSpace(before), ",") && (strings.HasPrefix(wrong, "}") || strings.HasPrefix(wrong, "]")) {
		return fmt.Sprintf("the comma before the closing bracket in line %d, column %d has nothing after it: remove it", line, column)
	}
	return fmt.Sprintf("line %d, column %d: %s", line, column, syntax)
}
