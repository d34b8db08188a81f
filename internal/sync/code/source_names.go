package code

import (
	"slices"
	"strings"
)

// IsConfiguration reports whether Terraform or OpenTofu reads a file of a directory, by its
// name. Both ignore hidden files and the backups of editors.
func IsConfiguration(name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") {
		return false
	}
	return slices.ContainsFunc([]string{".tf", ".tofu", ".tf.json", ".tofu.json"}, func(suffix string) bool {
		return strings.HasSuffix(name, suffix)
	})
}

// IsJSON reports whether a file of configuration is in the JSON syntax, not in the native one.
func IsJSON(name string) bool { return strings.HasSuffix(name, ".json") }
