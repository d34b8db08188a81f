//go:build unix

package environment

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// isOwn reports whether this process's user owns a file. If the user became root with sudo, the original
// user's files count as well.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	return isOwnID(uint64(stat.Uid), uint64(os.Geteuid()), os.Getenv("SUDO_UID")) //nolint:gosec // a user id is not negative here
}

// isOwnID implements git's rule for repository owners.
func isOwnID(owner, user uint64, sudoUser string) bool {
	if owner == user {
		return true
	}
	caller, err := strconv.ParseUint(sudoUser, 10, 32)
	return user == 0 && err == nil && owner == caller
}
