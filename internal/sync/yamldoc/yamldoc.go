// Package yamldoc parses hand-written YAML files: posthog-sync.yaml and survey files. Such a file contains
// one document with plain values. The package follows aliases, resolves merge keys (<<), and reports each
// error with its line. Callers interpret the keys. Start reading at [Parse].
package yamldoc

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Kind is the kind of a node.
type Kind string

// Kinds of nodes.
const (
	Scalar  Kind = "a scalar"
	List    Kind = "a list"
	Mapping Kind = "a mapping"
)

// Node is a value of a document.
type Node struct {
	Kind Kind
	Line int
	// Value is the value of a scalar: nil, a bool, a [json.Number], or a string.
	Value any
	// Text is the scalar as it is spelled in the file.
	Text string
	// Elements contains the elements of a list.
	Elements []*Node
	// Members contains the members of a mapping in file order. Merged members come last.
	Members []Member
}

// Member is a key of a mapping, with its value.
type Member struct {
	Key   string
	Line  int
	Value *Node
}

// Member returns the value of a key in a mapping, or nil if the mapping does not contain the key.
func (n *Node) Member(key string) *Node {
	for _, member := range n.Members {
		if member.Key == key {
			return member.Value
		}
	}
	return nil
}

// IsShared reports whether a key contains values that anchors and aliases share with the rest of the file,
// as in Compose files.
func IsShared(key string) bool { return strings.HasPrefix(key, "x-") }

// Plain returns the node's value in the form of encoding/json, with numbers as [json.Number].
func (n *Node) Plain() any {
	switch n.Kind {
	case List:
		list := make([]any, len(n.Elements))
		for i, element := range n.Elements {
			list[i] = element.Plain()
		}
		return list
	case Mapping:
		object := make(map[string]any, len(n.Members))
		for _, member := range n.Members {
			object[member.Key] = member.Value.Plain()
		}
		return object
	case Scalar:
	}
	return n.Value
}

// Parse parses a text that contains one document, which must be a mapping with the key in needs. Its error
// has the type [Errors]. It contains all mistakes up to the first syntax error, after which the text's
// meaning is uncertain. If all values are readable despite mistakes, Parse also returns the node, so that
// the caller can report its own errors together with the mistakes.
func Parse(text []byte, needs string) (*Node, error) {
	text, mistakes, isUTF8 := checkCharacters(text)
	var root yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&root); errors.Is(err, io.EOF) {
		return nil, append(mistakes, Errorf(1, "the file is empty. It must be a mapping with %s", needs)).ErrorOrNil()
	} else if err != nil {
		return nil, append(mistakes, syntaxError(text, err)).ErrorOrNil()
	}
	var second yaml.Node
	if err := decoder.Decode(&second); err == nil {
		mistakes = append(mistakes, Errorf(second.Line, "the file contains a second YAML document. Remove it, or move it to another file"))
	} else if !errors.Is(err, io.EOF) {
		mistakes = append(mistakes, syntaxError(text, err))
	}
	if !isUTF8 {
		return nil, mistakes.ErrorOrNil()
	}

	r := resolver{errors: mistakes}
	node := r.resolve(root.Content[0])
	if !r.isPartial && node.Kind != Mapping {
		r.failf(node.Line, "the file must be a mapping with %s", needs)
	}
	if r.isPartial {
		node = nil
	}
	return node, r.errors.ErrorOrNil()
}
