//go:build !unix

package main

import (
	"errors"
	"os"
	"time"
)

var errNoUsage = errors.New("CPU time and memory of a process are measured on Unix alone")

func cpuTime() (time.Duration, error) { return 0, errNoUsage }

func peakMemory(*os.ProcessState) (int64, error) { return 0, errNoUsage }
