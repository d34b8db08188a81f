package atomicfile

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// started is about when this process began: what is older and has its number is of an
// earlier process.
var started = time.Now()

// Pattern is a pattern for [os.CreateTemp] and [os.MkdirTemp] whose names say which process
// made them, so that [RemoveStale] finds those of a process that was killed.
func Pattern(prefix string) string { return fmt.Sprintf("%sposthog-sync-%d-*", prefix, os.Getpid()) }

// temporaryName matches the names of Pattern, with the number of the process.
var temporaryName = regexp.MustCompile(`(?:^|\.)posthog-sync-(\d+)-\d+(?:\.before)?$`)

// RemoveStale removes the temporary files and directories that killed processes have left
// in a directory. What cannot be removed stays: it is in the way of nothing.
func RemoveStale(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}

	for _, entry := range entries {
		match := temporaryName.FindStringSubmatch(entry.Name())
		if match == nil {
			continue
		}
		process, err := strconv.Atoi(match[1])
		info, infoErr := entry.Info()
		if err == nil && infoErr == nil && isStale(process, info.ModTime()) {
			_ = os.RemoveAll(filepath.Join(dir, entry.Name()))
		}
	}
}

// isStale reports whether what a process made at a time is of no use any more.
func isStale(process int, made time.Time) bool {
	if process == os.Getpid() {
		return made.Before(started)
	}
	return !isRunning(process)
}
