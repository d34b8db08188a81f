package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// server is a running test server and how to reach it.
type server struct {
	url     string
	exports map[string]string // the POSTHOG_ variables that it printed
	process *exec.Cmd
	cancel  context.CancelFunc
	drained chan struct{}
}

// startServer runs the program of the test server on a free port, and reads from
// what it prints where it listens and how to log in.
func startServer(ctx context.Context, program string) (*server, error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, program, "-listen", "127.0.0.1:0")
	cmd.Stderr = os.Stderr
	interruptible(cmd)

	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("starting the test server: %w", err)
	}

	s := &server{process: cmd, cancel: cancel, drained: make(chan struct{})}
	lines := bufio.NewReader(stdout)
	s.url, s.exports, err = readAnnouncement(lines)

	go func() {
		// A program blocks when its output is not read.
		defer close(s.drained)
		_, _ = io.Copy(io.Discard, lines)
	}()

	if err != nil {
		_ = s.stop() // that it could not be used says more than how it ended
		return nil, err
	}
	return s, nil
}

// variables are what Terraform needs to reach the server; it prints a line for each.
var variables = []string{"POSTHOG_BASE_URL", "POSTHOG_API_KEY", "POSTHOG_PROJECT_ID", "POSTHOG_ORGANIZATION_ID"}

// readAnnouncement reads the line "listening on URL" and the export lines below.
func readAnnouncement(lines *bufio.Reader) (url string, exports map[string]string, err error) {
	exports = map[string]string{}
	for len(exports) < len(variables) {
		line, err := lines.ReadString('\n')
		if err != nil {
			return "", nil, fmt.Errorf("the test server ended its announcement early (%w), after %q and %v", err, url, exports)
		}

		line = strings.TrimSpace(line)
		if at, found := strings.CutPrefix(line, "listening on "); found {
			url = at
		}

		if assignment, found := strings.CutPrefix(line, "export "); found {
			name, value, _ := strings.Cut(assignment, "=")
			exports[name] = strings.Trim(value, `'"`)
		}
	}

	for _, name := range variables {
		if exports[name] == "" {
			return "", nil, fmt.Errorf("the test server printed no line \"export %s=...\"", name)
		}
	}

	if url == "" {
		return "", nil, fmt.Errorf("the test server did not say where it listens")
	}

	return url, exports, nil
}

// stop asks the server to end, and returns when it has.
func (s *server) stop() error {
	s.cancel()
	<-s.drained
	err := s.process.Wait()
	if s.process.ProcessState.Exited() && s.process.ProcessState.ExitCode() != 0 {
		return fmt.Errorf("the test server ended with: %w", err)
	}
	return nil
}
