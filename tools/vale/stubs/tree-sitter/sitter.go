// Package sitter replaces the parsers that Vale uses for comments in source files. Building the
// real ones takes a C compiler and 250 MB of generated code; make lint gives Vale only Markdown.
package sitter

import (
	"context"
	"errors"
)

// Language is the grammar of a programming language.
type Language struct{}

// Parser parses source files.
type Parser struct{}

// NewParser returns a parser that refuses every file.
func NewParser() *Parser { return &Parser{} }

// SetLanguage does nothing.
func (*Parser) SetLanguage(*Language) {}

// ParseCtx returns an error.
func (*Parser) ParseCtx(context.Context, *Tree, []byte) (*Tree, error) {
	return nil, errors.New("this build of Vale does not parse source files; see tools/vale/README.md")
}

// Tree is a parsed file.
type Tree struct{}

// RootNode returns nil.
func (*Tree) RootNode() *Node { return nil }

// Node is an element of a Tree.
type Node struct{}

// Content returns an empty text.
func (*Node) Content([]byte) string { return "" }

// StartPoint returns the first position of a file.
func (*Node) StartPoint() Point { return Point{} }

// Point is a position in a file.
type Point struct{ Row, Column uint32 }

// Query selects nodes.
type Query struct{}

// NewQuery returns a query that selects nothing.
func NewQuery([]byte, *Language) (*Query, error) { return &Query{}, nil }

// QueryCursor runs a Query.
type QueryCursor struct{}

// NewQueryCursor returns a cursor without matches.
func NewQueryCursor() *QueryCursor { return &QueryCursor{} }

// Exec does nothing.
func (*QueryCursor) Exec(*Query, *Node) {}

// NextMatch always returns false: the stub never finds a match.
func (*QueryCursor) NextMatch() (*QueryMatch, bool) { return nil, false }

// FilterPredicates returns its argument.
func (*QueryCursor) FilterPredicates(match *QueryMatch, _ []byte) *QueryMatch { return match }

// QueryMatch is the result of a Query.
type QueryMatch struct{ Captures []QueryCapture }

// QueryCapture is one node of a QueryMatch.
type QueryCapture struct{ Node *Node }
