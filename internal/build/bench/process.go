package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// interruptible interrupts the program when its context ends, so that it can stop its own
// children, and kills it only later.
func interruptible(cmd *exec.Cmd) *exec.Cmd {
	cmd.WaitDelay = 30 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	return cmd
}

// server is a program that serves during a measurement.
type server struct {
	cmd         *exec.Cmd
	cancel      context.CancelFunc
	url         string
	environment []string // the variables that it printed for its clients
}

// startServer runs a program that prints its address, and then so many variables.
func startServer(ctx context.Context, variables int, program string, args ...string) (*server, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &server{cmd: interruptible(exec.CommandContext(ctx, program, args...)), cancel: cancel}
	s.cmd.Stderr = os.Stderr
	stdout, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}

	for lines := bufio.NewScanner(stdout); s.url == "" || len(s.environment) < variables; {
		if !lines.Scan() {
			return nil, errors.Join(fmt.Errorf("%s did not say where it listens, and how to authenticate", program), s.stop())
		}
		if address, found := strings.CutPrefix(lines.Text(), "listening on "); found {
			s.url = address
		}
		if assignment, found := strings.CutPrefix(lines.Text(), "export "); found {
			s.environment = append(s.environment, assignment)
		}
	}
	return s, nil
}

// stop asks the server to end, and returns when it has.
func (s *server) stop() error {
	s.cancel()
	err := s.cmd.Wait()
	if s.cmd.ProcessState.Exited() && s.cmd.ProcessState.ExitCode() > 0 {
		return fmt.Errorf("%s ended with: %w", s.cmd.Path, err)
	}
	return nil
}

// startService runs the test server with n surveys.
func (b *bench) startService(ctx context.Context, n int) (*server, error) {
	stored := make([]any, n)
	for i := range stored {
		stored[i] = wireSurvey(map[string]any{"project_id": "1", "id": surveyID(i), "name": fmt.Sprintf("Stored %05d", i)})
	}
	fixtures := filepath.Join(b.dir, fmt.Sprintf("fixtures-%d.json", n))
	if err := os.WriteFile(fixtures, []byte(text(map[string]any{"surveys": stored})), 0o600); err != nil {
		return nil, err
	}
	const variables = 4
	return startServer(ctx, variables, b.programs+"posthog-testserver", "-listen", "127.0.0.1:0", "-fixtures", fixtures)
}

// surveyID is the id of survey number i in the fixtures.
func surveyID(i int) string { return fmt.Sprintf("019b0000-0000-7000-9000-%012d", i) }

// countRequests counts the requests to the API that do makes.
func (s *server) countRequests(ctx context.Context, do func() error) (int, error) {
	const journal = "/_testserver/requests"
	if _, err := s.ask(ctx, http.MethodDelete, journal, ""); err != nil {
		return 0, err
	}
	if err := do(); err != nil {
		return 0, err
	}
	answer, err := s.ask(ctx, http.MethodGet, journal, "")
	if err != nil {
		return 0, err
	}
	var requests []json.RawMessage
	err = json.Unmarshal(answer, &requests)
	return len(requests), err
}

// ask sends one request, which must succeed.
func (s *server) ask(ctx context.Context, method, path, body string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer phx_test")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s %s: the server answered %d: %s", method, path, resp.StatusCode, answer)
	}
	return answer, err
}

// usage is the resource usage of processes: the CPU time of all, the memory of the largest.
type usage struct {
	cpu  time.Duration // user and kernel
	peak int64         // bytes in RAM
}

// meter runs a program with the standard streams of this process, and appends its resource
// usage to a file when it has ended.
//
// The caller cannot ask the system itself: Linux counts the memory of a process before exec
// as that of the program after it, so a provider that a large Terraform starts would look
// as large. This process is small.
func meter(ctx context.Context, file string, program []string) error {
	cmd := interruptible(exec.CommandContext(ctx, program[0], program[1:]...))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	ran := cmd.Run()
	if cmd.ProcessState == nil {
		return ran
	}
	peak, err := peakMemory(cmd.ProcessState)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, int64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()), peak)
	return errors.Join(ran, err, out.Close())
}
