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

// figures are the costs of an action: its time, the number of requests, the CPU time of all metered processes, and
// the memory of the largest metered process.
type figures struct {
	requests          int
	elapsed, cpu, mem float64 // in seconds and bytes
}

// measure measures the processes that do starts. It fails if a measurement is missing, because a missing measurement
// must not count as 0.
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

// meter runs a program with the standard streams of this process, and appends its resource usage to a file after it
// has ended.
//
// The caller cannot ask the system for the usage. Linux attributes a process's memory before exec to the executed
// program, so a provider would appear as large as the Terraform process that starts it. This process is small.
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

// peakUntil returns a process's peak memory until it ended, without its child processes. The system's own value
// includes the largest child process. peakUntil returns 0 if the system does not report the peak memory.
func peakUntil(ended <-chan struct{}, pid int) (peak int64) {
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // the file does not exist after the process has ended
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
