//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// figures are what something cost: the time that it took, the requests that its service got, and
// of its metered processes the CPU time of all and the memory of the largest.
type figures struct {
	requests          int
	elapsed, cpu, mem float64 // seconds and bytes
}

// measure measures what do starts. What was not measured must not be taken for nothing.
func (w *workspace) measure(do func() error) (f figures, err error) {
	if err := os.RemoveAll(w.used); err != nil {
		return f, err
	}
	w.service.ResetJournal()
	start := time.Now()
	if err := do(); err != nil {
		return f, err
	}
	f.elapsed, f.requests = time.Since(start).Seconds(), len(w.service.Journal())

	usage, err := os.ReadFile(w.used)
	if err != nil {
		return f, err
	}
	for line := range strings.Lines(string(usage)) {
		var cpu, mem float64
		if _, err := fmt.Sscan(line, &cpu, &mem); err != nil {
			return f, fmt.Errorf("%s: %w", w.used, err)
		}
		f.cpu += cpu
		f.mem = max(f.mem, mem)
	}
	return f, nil
}

// meter runs a program with the standard streams of this process, and appends its resource
// usage to a file when it has ended.
//
// The caller cannot ask the system itself: Linux counts the memory of a process before exec
// as that of the program after it, so a provider that a large Terraform starts would look
// as large. This process is small.
func meter(ctx context.Context, file string, program []string) error {
	cmd := interruptible(ctx, program)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	ended, ran := make(chan struct{}), error(nil)
	go func() {
		ran = cmd.Wait()
		close(ended)
	}()
	peak := peakUntil(ended, cmd.Process.Pid)

	used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return fmt.Errorf("the system reports %T about a process", cmd.ProcessState.SysUsage())
	}
	if peak == 0 {
		peak = int64(used.Maxrss) //nolint:unconvert // an int32 on some systems
		if runtime.GOOS != "darwin" {
			peak *= 1024
		}
	}
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), peak)
	return errors.Join(ran, err, out.Close())
}

// peakUntil is the most memory that a process has had until it ended, without the processes that it
// started: what the system says afterwards is that of the largest of all. 0 for a system that does
// not tell.
func peakUntil(ended <-chan struct{}, pid int) (peak int64) {
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // none at the end
		for line := range strings.Lines(string(status)) {
			var kilobytes int64
			if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); err == nil {
				peak = kilobytes * 1024
			}
		}
		select {
		case <-ended:
			return peak
		case <-time.After(10 * time.Millisecond):
		}
	}
}
