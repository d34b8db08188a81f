package jsonvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Explain adds the line number to an encoding/json error about text, and describes the error for readers who do not
// know Go. It returns other errors unchanged.
func Explain(text []byte, err error) error {
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	var inner *explained
	switch {
	case errors.As(err, &inner): // a method that decodes a part of the text returned the error
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
	if key, isUnknown := unknownKey(err); isUnknown {
		return &explained{fmt.Sprintf("line %d: the key %q is not supported. Remove it, or correct its spelling", lineOfKey(text, key), key), err}
	}
	return err
}

// unknownKey returns the unknown key in an encoding/json error. The package has no type for this error.
func unknownKey(err error) (string, bool) {
	quoted, isUnknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	if !isUnknown {
		return "", false
	}
	key, unquoteErr := strconv.Unquote(quoted)
	return key, unquoteErr == nil
}

// lineOfKey returns the line where a key first occurs.
func lineOfKey(text []byte, key string) int {
	name, err := json.Marshal(key)
	if err != nil {
		return 1
	}
	at := regexp.MustCompile(regexp.QuoteMeta(string(name)) + `\s*:`).FindIndex(text)
	if at == nil {
		return 1 // the text escapes the key differently
	}
	return lineAt(text, int64(at[1]))
}

// lineAt returns the line of an offset.
func lineAt(text []byte, offset int64) int {
	return bytes.Count(bytes.TrimSuffix(text[:min(offset, int64(len(text)))], []byte("\n")), []byte("\n")) + 1
}

// explained is an error with a message for users.
type explained struct {
	text  string
	cause error
}

func (e *explained) Error() string { return e.text }

func (e *explained) Unwrap() error { return e.cause }
