// Package yamldoc parses the YAML files that people write: posthog-sync.yaml, and files of
// surveys. A file is one document, and each error begins with a line. What a key means is up to the
// caller, which walks the nodes of the document.
package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Parse parses the one document of a text, which needs a key.
func Parse(text []byte, needs string) (*yaml.Node, error) {
	var root yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&root); errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line 1: the file is empty: it needs %s", needs)
	} else if err != nil {
		return nil, Error(err)
	}
	var second yaml.Node
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line %d: there is more than one YAML document in the file", max(second.Line, 1))
	}
	return root.Content[0], nil
}

// Error takes the name of the library out of an error.
func Error(err error) error {
	return errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
}
