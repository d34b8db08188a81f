package main

import (
	"os"
	"os/exec"
	"time"
)

// interruptible asks the program to end when its context does, so that it can take
// its own children along. Only after that it is killed.
func interruptible(cmd *exec.Cmd) {
	cmd.WaitDelay = 10 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
}
