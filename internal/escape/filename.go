package escape

import (
	"path/filepath"
	"strings"
	"unicode"
)

// IsFileName reports whether a text is the name of a file in a directory, and of nothing
// outside of it, on every system: no path, no name that a system reserves, no hidden file.
func IsFileName(name string) bool {
	return filepath.IsLocal(name) && !strings.ContainsAny(name, `/\:*?"<>|`) && !strings.HasPrefix(name, ".") &&
		!strings.ContainsFunc(name, func(r rune) bool { return isHidden(r) || r == unicode.ReplacementChar })
}
