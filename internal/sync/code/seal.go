package code

import (
	"bytes"
	"crypto/sha256"
	"fmt"
)

// firstLine is the start of the first line of every exported file. The line contains a checksum of all
// lines below.
const firstLine = "# Made by posthog-sync export"

const secondLine = "# An edited file is not written again: see posthog-sync export --force.\n"

// Ownership describes whether an export owns a file.
type Ownership int

// Values of Ownership.
const (
	// Foreign means that no export wrote the file.
	Foreign Ownership = iota
	// Owned means that the file is unchanged since an export wrote it.
	Owned
	// ByHand means that an export wrote the file, and that someone edited it afterwards.
	ByHand
)

// Seal returns the text of an exported file: a line with the checksum, followed by the content.
func Seal(body []byte) []byte {
	return withSeal(append([]byte(secondLine+"\n"), body...))
}

func withSeal(rest []byte) []byte {
	return append(fmt.Appendf(nil, "%s, sha256:%x\n", firstLine, sha256.Sum256(rest)), rest...)
}

// detectOwnership returns the ownership of a text with Unix line endings.
func detectOwnership(text []byte) Ownership {
	if !bytes.HasPrefix(text, []byte(firstLine)) {
		return Foreign
	}
	if _, rest, _ := bytes.Cut(text, []byte("\n")); !bytes.Equal(text, withSeal(rest)) {
		return ByHand
	}
	return Owned
}

// unixLines returns a text with Unix line endings. Version control systems may convert line endings, which
// does not count as an edit.
func unixLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// Reseal updates the checksum in the new text of an exported file. It returns other texts unchanged.
func Reseal(original, edited []byte) []byte {
	if detectOwnership(unixLines(original)) != Owned {
		return edited
	}
	line, rest, _ := bytes.Cut(edited, []byte("\n"))
	first, _, _ := bytes.Cut(withSeal(unixLines(rest)), []byte("\n"))
	if bytes.HasSuffix(line, []byte("\r")) {
		first = append(first, '\r')
	}
	return append(append(first, '\n'), rest...)
}
