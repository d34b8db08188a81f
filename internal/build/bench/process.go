package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// process is a server that runs during a measurement.
type process struct {
	cmd    *exec.Cmd
	cancel context.CancelFunc
	lines  *bufio.Scanner // what it prints
}

// start runs a program until stop is called.
func start(ctx context.Context, program string, args ...string) (*process, error) {
	ctx, cancel := context.WithCancel(ctx)
	p := &process{cmd: exec.CommandContext(ctx, program, args...), cancel: cancel}
	interruptible(p.cmd)
	p.cmd.Stderr = os.Stderr
	stdout, err := p.cmd.StdoutPipe()
	if err == nil {
		p.lines = bufio.NewScanner(stdout)
		err = p.cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return p, nil
}

// stop asks the server to end, and returns when it has.
func (p *process) stop() error {
	p.cancel()
	err := p.cmd.Wait()
	if p.cmd.ProcessState.Exited() && p.cmd.ProcessState.ExitCode() > 0 {
		return fmt.Errorf("%s ended with: %w", p.cmd.Path, err)
	}
	return nil
}

// url is the address that the server prints.
func (p *process) url() (string, error) {
	if p.lines.Scan() {
		if at, found := strings.CutPrefix(p.lines.Text(), "listening on "); found {
			return at, nil
		}
	}
	return "", fmt.Errorf("%s did not say where it listens: %w", p.cmd.Path, errors.Join(p.lines.Err(), io.ErrUnexpectedEOF))
}

// startTimeout is the time that a program has to start, or to end.
const startTimeout = 30 * time.Second

// interruptible interrupts the program when its context ends, so that it can stop its own
// children, and kills it only later.
func interruptible(cmd *exec.Cmd) {
	cmd.WaitDelay = startTimeout
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
}
