package code

import (
	"slices"
	"strings"
)

// IsConfiguration reports whether Terraform or OpenTofu reads a file with this name. Both ignore hidden
// files and editor backups.
func IsConfiguration(name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") {
		return false
	}
	return slices.ContainsFunc([]string{".tf", ".tofu", ".tf.json", ".tofu.json"}, func(suffix string) bool {
		return strings.HasSuffix(name, suffix)
	})
}

// IsJSON reports whether a configuration file uses JSON syntax instead of native syntax.
func IsJSON(name string) bool { return strings.HasSuffix(name, ".json") }
