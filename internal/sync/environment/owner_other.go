//go:build !unix

package environment

import "io/fs"

// isOwn reports whether this process's user owns a file. It always returns true, because this system does
// not have numeric owners.
func isOwn(fs.FileInfo) bool { return true }
