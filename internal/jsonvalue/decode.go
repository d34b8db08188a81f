package jsonvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Decode returns the value of a JSON text: nil, bool, string, [json.Number], []any or
// map[string]any. Numbers keep their digits. Text behind the value is an error, and so is
// what [Check] refuses.
func Decode[T ~string | ~[]byte](text T) (any, error) {
	var value any
	err := Unmarshal([]byte(text), &value)
	return value, err
}

// Unmarshal is [json.Unmarshal] under the rules of [Decode].
func Unmarshal(text []byte, into any) error { return unmarshal(text, into, false) }

// UnmarshalKnown is Unmarshal for documents that people write: a field that into lacks is an
// error.
func UnmarshalKnown(text []byte, into any) error { return unmarshal(text, into, true) }

func unmarshal(text []byte, into any, isStrict bool) error {
	if err := Check(text); err != nil {
		return err
	}

	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if isStrict {
		decoder.DisallowUnknownFields()
	}
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text after the JSON value")
	}
	return nil
}
