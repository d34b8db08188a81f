package code

import (
	"bytes"
	"crypto/sha256"
	"fmt"
)

// firstLine begins every file that an export wrote. The checksum after it is that of
// all lines below.
const firstLine = "# Made by posthog-sync export"

const secondLine = "# An edited file is not written again: see posthog-sync export --force.\n"

// Ownership says whether a file belongs to an export.
type Ownership int

// The values of Ownership.
const (
	// Foreign files were not written by an export.
	Foreign Ownership = iota
	// Owned files are as an export wrote them.
	Owned
	// ByHand files were written by an export and changed since.
	ByHand
)

// Seal is a file of an export: the line that says so, with the checksum of the rest, and the
// rest.
func Seal(body []byte) []byte {
	return withSeal(append([]byte(secondLine+"\n"), body...))
}

func withSeal(rest []byte) []byte {
	return append(fmt.Appendf(nil, "%s, sha256:%x\n", firstLine, sha256.Sum256(rest)), rest...)
}

// detectOwnership is the ownership of a text with the line ends of Unix.
func detectOwnership(text []byte) Ownership {
	if !bytes.HasPrefix(text, []byte(firstLine)) {
		return Foreign
	}
	if _, rest, _ := bytes.Cut(text, []byte("\n")); !bytes.Equal(text, withSeal(rest)) {
		return ByHand
	}
	return Owned
}

// unixLines is a text with the line ends of Unix. Those that a version control system has
// converted do not count as an edit.
func unixLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// Reseal updates the checksum in the new text of an export's file. The text of any other
// file stays as it is.
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
