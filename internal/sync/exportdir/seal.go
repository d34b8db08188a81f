package exportdir

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"
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
	// Edited files were written by an export and changed since.
	Edited
)

// Seal writes a file of an export: the line that says so, with the checksum of the
// rest, and the rest. body is called twice.
func Seal(w io.Writer, body func(io.Writer) error) error {
	line, err := sealOf(body)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, line+secondLine+"\n"); err != nil {
		return err
	}
	return body(w)
}

// sealOf is the first line of a file with the body.
func sealOf(body func(io.Writer) error) (string, error) {
	sum := sha256.New()
	_, _ = io.WriteString(sum, secondLine+"\n") // a hash takes everything
	if err := body(sum); err != nil {
		return "", err
	}
	return sealLine(sum), nil
}

func sealLine(sum hash.Hash) string {
	return fmt.Sprintf("%s, sha256:%s\n", firstLine, hex.EncodeToString(sum.Sum(nil)))
}

// readSeal reads the first line of a file and its ownership. Line endings that a version
// control system has converted do not count as an edit.
func readSeal(path string) (first string, owner Ownership, err error) {
	file, err := os.Open(path) //nolint:gosec // the directory that the user named
	if err != nil {
		return "", Foreign, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return readSealOf(file)
}

func readSealOf(r io.Reader) (first string, owner Ownership, err error) {
	reader := bufio.NewReader(r)
	first, err = reader.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", Foreign, err
	}
	first = strings.TrimRight(first, "\r\n") + "\n"
	if !strings.HasPrefix(first, firstLine) {
		return first, Foreign, nil
	}

	sum := sha256.New()
	if err := copyLines(sum, reader); err != nil {
		return first, Foreign, err
	}
	if first != sealLine(sum) {
		return first, Edited, nil
	}
	return first, Owned, nil
}

// copyLines copies text with the line ends of Unix.
func copyLines(w io.Writer, r *bufio.Reader) error {
	for {
		line, err := r.ReadBytes('\n')
		if bytes.HasSuffix(line, []byte("\r\n")) {
			line = append(line[:len(line)-2], '\n')
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// IsSealed reports whether a file is as Seal writes it with this body.
func IsSealed(path string, body func(io.Writer) error) (bool, error) {
	line, err := sealOf(body)
	if err != nil {
		return false, err
	}
	first, owner, err := readSeal(path)
	return err == nil && owner == Owned && first == line, err
}

// Reseal updates the checksum in the new text of an export's file. The text of any other
// file stays as it is.
func Reseal(before, after []byte) ([]byte, error) {
	_, owner, err := readSealOf(bytes.NewReader(before))
	if err != nil || owner != Owned {
		return after, err
	}
	line, rest, _ := bytes.Cut(after, []byte("\n"))
	sum := sha256.New()
	if err := copyLines(sum, bufio.NewReader(bytes.NewReader(rest))); err != nil {
		return nil, err
	}
	first := strings.TrimSuffix(sealLine(sum), "\n")
	if bytes.HasSuffix(line, []byte("\r")) {
		first += "\r"
	}
	return append([]byte(first+"\n"), rest...), nil
}
