package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// usage is the resource usage of a process.
type usage struct {
	CPU  time.Duration // user and kernel
	Peak int64         // bytes in RAM
}

// cpuOf is the CPU time that this process takes for something.
func cpuOf(do func() error) (time.Duration, error) {
	start, err := cpuTime()
	if err != nil {
		return 0, err
	}
	if err := do(); err != nil {
		return 0, err
	}
	ended, err := cpuTime()
	return ended - start, err
}

// meter runs a program with the standard streams of this process, and appends its resource
// usage to a file when it has ended.
//
// The caller cannot ask the system itself: Linux counts the memory of a process before exec
// as that of the program after it, so a provider that a large Terraform starts would look
// as large. This process is small.
func meter(ctx context.Context, file string, program []string) error {
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	interruptible(cmd)
	ran := cmd.Run()
	if cmd.ProcessState == nil {
		return ran
	}
	peak, err := peakMemory(cmd.ProcessState)
	if err != nil {
		return err
	}
	line := text(usage{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak}) + "\n"
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, line)
	return errors.Join(ran, err, out.Close())
}

// readUsage reads what a meter has written, and empties the file.
func readUsage(file string) ([]usage, error) {
	written, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []usage
	decoder := json.NewDecoder(bytes.NewReader(written))
	for {
		var one usage
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			return all, os.Remove(file)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, one)
	}
}

// readOneUsage is readUsage where one process was measured.
func readOneUsage(file string) (usage, error) {
	all, err := readUsage(file)
	if err == nil && len(all) != 1 {
		err = fmt.Errorf("the meter measured %d processes, not 1", len(all))
	}
	if err != nil {
		return usage{}, err
	}
	return all[0], nil
}

// meteredProvider writes a program into a directory that Terraform takes for that of the
// provider. It runs the real one under the meter.
func meteredProvider(folder, self, file string, program []string) error {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	words := append([]string{self, "meter", file}, program...)
	script := "#!/bin/sh\nexec '" + strings.Join(words, "' '") + "'\n"
	//nolint:gosec // Terraform must be able to run it
	return os.WriteFile(filepath.Join(folder, "terraform-provider-posthog"), []byte(script), 0o700)
}
