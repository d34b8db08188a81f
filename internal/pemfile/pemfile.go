// Package pemfile reads certificates and private keys of settings that take PEM text or the
// path of a file with it. What is in the text is for others to judge.
package pemfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// begin is how each block of PEM text begins; comments may stand before it.
const begin = "-----BEGIN "

// Text returns the value if it is PEM text, else the content of the file whose path it is,
// relative to dir. Its errors never repeat the value, which may be a damaged private key.
func Text(value, dir string) (string, error) {
	if value == "" || strings.Contains(value, begin) {
		return value, nil
	}
	if strings.ContainsAny(value, "\r\n") {
		return "", fmt.Errorf("is neither PEM text, which has a line that begins with %s, nor the path of a file", strings.TrimSpace(begin))
	}

	text, err := os.ReadFile(Path(value, dir))
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err // without the path
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("is the path of a file that cannot be read: %w", err)
	case !strings.Contains(string(text), begin):
		return "", fmt.Errorf("is the path of a file without PEM text, which has a line that begins with %s", strings.TrimSpace(begin))
	}
	return string(text), nil
}

// Path is the value with its path relative to dir; PEM text stays as it is.
func Path(value, dir string) string {
	if value == "" || strings.Contains(value, begin) || filepath.IsAbs(value) {
		return value
	}
	return filepath.Join(dir, value)
}
