// Package cpp has no grammar.
package cpp

import sitter "github.com/smacker/go-tree-sitter"

// GetLanguage returns an empty grammar.
func GetLanguage() *sitter.Language { return &sitter.Language{} }
