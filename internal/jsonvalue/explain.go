package jsonvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Explain returns an error of encoding/json about a text with the line in it, for readers who know
// JSON and not Go. Other errors stay as they are.
func Explain(text []byte, err error) error {
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	var inner *explained
	switch {
	case errors.As(err, &inner): // by a method that decodes a part of the text
		return err
	case len(bytes.TrimSpace(text)) == 0:
		return &explained{"the JSON is empty", err}
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &syntax) && syntax.Offset >= int64(len(text)):
		return &explained{fmt.Sprintf("line %d: the JSON is incomplete", lineAt(text, int64(len(text)))), err}
	case syntax != nil:
		at := max(syntax.Offset-1, 0)
		return &explained{fmt.Sprintf("line %d: not valid JSON at %q", lineAt(text, at), string(bytes.Runes(text[at:])[:1])), err}
	case errors.As(err, &mistyped) && mistyped.Field != "":
		return &explained{fmt.Sprintf("line %d: %s has the wrong type: %s", lineAt(text, mistyped.Offset), mistyped.Field, mistyped.Value), err}
	case mistyped != nil:
		return &explained{fmt.Sprintf("line %d: the JSON has the wrong type: %s", lineAt(text, mistyped.Offset), mistyped.Value), err}
	}
	return err
}

// lineAt is the line of an offset.
func lineAt(text []byte, offset int64) int {
	return bytes.Count(bytes.TrimSuffix(text[:min(offset, int64(len(text)))], []byte("\n")), []byte("\n")) + 1
}

// explained is an error with a text for readers.
type explained struct {
	text  string
	cause error
}

func (e *explained) Error() string { return e.text }

func (e *explained) Unwrap() error { return e.cause }
