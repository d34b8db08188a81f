package code

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// started is a time shortly before this process began. Older files with its process ID belong to an
// earlier process. The margin allows for file system clocks that are a few milliseconds slow.
var started = time.Now().Add(-time.Second)

// oldest is the age up to which a file from another machine or container may still be in use, because
// it is unknown whether the process that created the file is running.
const oldest = 24 * time.Hour

// TemporaryPattern returns a pattern for [os.CreateTemp] and [os.MkdirTemp]. The names contain the
// process ID, so that [RemoveStale] can find the files of killed processes.
func TemporaryPattern(prefix string) string {
	return fmt.Sprintf("%sposthog-sync-%s-%d-*", prefix, processSpace(), os.Getpid())
}

// temporaryName matches the names from TemporaryPattern, with the process namespace and the process ID.
// A file whose name has no namespace counts as created on another machine.
var temporaryName = regexp.MustCompile(`(?:^|\.)posthog-sync-(?:([0-9a-f]{12})-)?(\d+)-\d+$`)

// RemoveStale removes temporary files and directories that killed processes left in a directory. It
// removes files from this machine immediately, and others after a day. It ignores files that it cannot
// remove, because they do no harm.
func RemoveStale(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}

	now := time.Now()
	for _, entry := range entries {
		match := temporaryName.FindStringSubmatch(entry.Name())
		if match == nil {
			continue
		}
		process, err := strconv.Atoi(match[2])
		info, infoErr := entry.Info()
		if err == nil && infoErr == nil && isStale(match[1], process, info.ModTime(), now) {
			_ = os.RemoveAll(filepath.Join(dir, entry.Name()))
		}
	}
}

// isStale reports whether a temporary file is no longer in use. If two containers share a directory,
// both can have a process with the same ID.
func isStale(space string, process int, created, now time.Time) bool {
	switch {
	case space != processSpace():
		return now.Sub(created) > oldest
	case process == os.Getpid():
		return created.Before(started)
	}
	return !isRunning(process)
}

// processSpace identifies the scope of this process's ID: one boot of one machine. On Linux, it is also
// one process namespace, because each container counts its processes separately.
var processSpace = sync.OnceValue(func() string {
	// Values that the system does not provide are empty.
	host, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	namespace, _ := os.Readlink("/proc/self/ns/pid")

	sum := sha256.Sum256([]byte(host + "\n" + string(bytes.TrimSpace(boot)) + "\n" + namespace))
	return hex.EncodeToString(sum[:6])
})
