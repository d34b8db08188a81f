package main

import (
	"os"
	"os/exec"
	"time"
)

// patience is long enough for a program that is asked to end, on a busy machine.
const patience = 10 * time.Second

// interruptible asks the program to end when its context does, as Ctrl-C would,
// so that it can take its own children along. Only after that it is killed.
func interruptible(cmd *exec.Cmd) {
	cmd.WaitDelay = patience
	cmd.Cancel = func() error {
		if cmd.Process.Signal(os.Interrupt) == nil {
			return nil
		}
		return cmd.Process.Kill() // where there is no such signal
	}
}
