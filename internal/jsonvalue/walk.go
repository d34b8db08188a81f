package jsonvalue

import (
	"encoding/json"
	"io"
)

// Visitor is called for each value of a document, with its path, such as .resources[].name. It decodes the value, or
// returns false to visit the values inside it.
type Visitor func(path string, value *json.Decoder) (isRead bool, err error)

// Walk reads a document that is too large for memory. Numbers are decoded as json.Number.
func Walk(from io.Reader, visit Visitor) error {
	decoder := json.NewDecoder(from)
	decoder.UseNumber()
	return visit.walk("", decoder)
}

func (visit Visitor) walk(path string, value *json.Decoder) error {
	if isRead, err := visit(path, value); isRead || err != nil {
		return err
	}
	token, err := value.Token()
	opening, isNested := token.(json.Delim)
	if err != nil || !isNested {
		return err
	}

	for value.More() {
		below := path + "[]"
		if opening == '{' {
			name, err := value.Token()
			if err != nil {
				return err
			}
			below = path + "." + name.(string) //nolint:forcetypeassert // the name of a member
		}
		if err := visit.walk(below, value); err != nil {
			return err
		}
	}
	_, err = value.Token()
	return err
}
