// Package hcledit writes edits that were made elsewhere into configuration that people
// wrote. An edit replaces the bytes of one value; comments, order, blank lines and
// formatting around it stay byte for byte, but for the alignment of equals signs in a block
// that terraform fmt would leave as it is: it still would afterwards. The caller says which
// value there is, which was last applied, and where files are.
package hcledit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// File is a configuration file that is edited in memory.
type File struct {
	// Name stands for it in findings.
	Name string

	source []byte
	body   *hclsyntax.Body
	tokens hclsyntax.Tokens
	// newline is the line end of the file, unit one level of its indentation.
	newline, unit string
	edits         []edit
}

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// Parse reads a configuration file in the native syntax.
func Parse(name string, source []byte) (*File, error) {
	parsed, diags := hclsyntax.ParseConfig(source, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, fmt.Errorf("%s: fix it first", diags.Error())
	}
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok {
		return nil, fmt.Errorf("%s has no body in the native syntax", name)
	}
	tokens, _ := hclsyntax.LexConfig(source, name, hcl.InitialPos) // it was parsed

	f := &File{Name: name, source: source, body: body, tokens: tokens, newline: "\n", unit: unitOf(source, tokens)}
	if bytes.Contains(source, []byte("\r\n")) {
		f.newline = "\r\n"
	}
	return f, nil
}

// Resource returns the block of a resource; nil when the file does not have it.
func (f *File) Resource(resourceType, label string) *hclsyntax.Block {
	for _, block := range f.body.Blocks {
		if block.Type == "resource" && slices.Equal(block.Labels, []string{resourceType, label}) {
			return block
		}
	}
	return nil
}

// IsChanged reports whether there are edits.
func (f *File) IsChanged() bool { return len(f.edits) > 0 }

// Bytes is the file with all edits. It is an error of this package when that cannot be
// parsed.
func (f *File) Bytes() ([]byte, error) {
	edited := []byte(f.compose(0, len(f.source)))
	if _, diags := hclsyntax.ParseConfig(edited, f.Name, hcl.InitialPos); diags.HasErrors() {
		return nil, fmt.Errorf("%s is not edited: the result would not be valid: %s. This is a fault of posthog-sync: please report it", f.Name, diags.Error())
	}
	return f.formatted(edited), nil
}

// replace adds an edit.
func (f *File) replace(start, end int, text string) {
	f.edits = append(f.edits, edit{start, end, text})
}

// compose is a part of the file with the edits in it.
func (f *File) compose(start, end int) string {
	inside := slices.DeleteFunc(slices.Clone(f.edits), func(e edit) bool { return e.start < start || e.end > end })
	// Of several at one offset, an insertion comes first, and the rest in order.
	slices.SortStableFunc(inside, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(min(1, a.end-a.start), min(1, b.end-b.start)))
	})

	var text strings.Builder
	at := start
	for _, e := range inside {
		text.Write(f.source[at:e.start])
		text.WriteString(e.text)
		at = e.end
	}
	text.Write(f.source[at:end])
	return text.String()
}

// extract is compose, and takes the edits out of the file: they are in the text now.
func (f *File) extract(start, end int) string {
	text := f.compose(start, end)
	f.edits = slices.DeleteFunc(f.edits, func(e edit) bool { return e.start >= start && e.end <= end })
	return text
}
