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

// started is before this process began: what is older and has its number is of an earlier
// process. File systems have clocks that are behind by some milliseconds.
var started = time.Now().Add(-time.Second)

// oldest is the age up to which what a process of another machine or container has made may
// be in use: whether that process runs cannot be seen from here.
const oldest = 24 * time.Hour

// TemporaryPattern is a pattern for [os.CreateTemp] and [os.MkdirTemp] whose names say which process
// made them, so that [RemoveStale] finds those of a process that was killed.
func TemporaryPattern(prefix string) string {
	return fmt.Sprintf("%sposthog-sync-%s-%d-*", prefix, processSpace(), os.Getpid())
}

// temporaryName matches the names of TemporaryPattern, with the space and the number of the process.
// A name without a space is as one from elsewhere.
var temporaryName = regexp.MustCompile(`(?:^|\.)posthog-sync-(?:([0-9a-f]{12})-)?(\d+)-\d+$`)

// RemoveStale removes the temporary files and directories that killed processes have left
// in a directory: those of this machine at once, those of others after a day. What cannot be
// removed stays: it is in the way of nothing.
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

// isStale reports whether what a process made at a time is of no use any more. Of two
// containers that share a directory each may have a process of that number, or only one.
func isStale(space string, process int, created, now time.Time) bool {
	switch {
	case space != processSpace():
		return now.Sub(created) > oldest
	case process == os.Getpid():
		return created.Before(started)
	}
	return !isRunning(process)
}

// processSpace stands for where the number of this process means this process: one start of
// one machine, and on Linux one namespace of processes, since each container counts its own.
var processSpace = sync.OnceValue(func() string {
	// What a system does not have is empty there.
	host, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	namespace, _ := os.Readlink("/proc/self/ns/pid")

	sum := sha256.Sum256([]byte(host + "\n" + string(bytes.TrimSpace(boot)) + "\n" + namespace))
	return hex.EncodeToString(sum[:6])
})
