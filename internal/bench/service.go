package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// service is a running test server, a process of its own.
type service struct {
	url         string
	environment []string // the POSTHOG_ variables that it printed
	process     *exec.Cmd
	cancel      context.CancelFunc
}

// startService runs the test server with n surveys.
func (g *ground) startService(ctx context.Context, n int) (*service, error) {
	surveys := make([]any, n)
	for i := range surveys {
		surveys[i] = wireSurvey(map[string]any{"project_id": "1", "id": surveyID(i), "name": fmt.Sprintf("Not in any state %05d", i)})
	}
	fixtures := filepath.Join(g.dir, fmt.Sprintf("fixtures-%d.json", n))
	if err := os.WriteFile(fixtures, []byte(text(map[string]any{"surveys": surveys})), 0o600); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, g.server, "-listen", "127.0.0.1:0", "-fixtures", fixtures)
	interruptible(cmd)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("starting the test server: %w", err)
	}
	s := &service{process: cmd, cancel: cancel}
	lines := bufio.NewScanner(stdout)
	for len(s.environment) < 4 && lines.Scan() {
		if at, found := strings.CutPrefix(lines.Text(), "listening on "); found {
			s.url = at
		}
		if assignment, found := strings.CutPrefix(lines.Text(), "export "); found {
			s.environment = append(s.environment, assignment)
		}
	}
	if s.url == "" || len(s.environment) < 4 {
		_ = s.stop() // that it could not be used says more than how it ended
		return nil, fmt.Errorf("the test server did not say where it listens and how to log in: %w", lines.Err())
	}
	return s, nil
}

// surveyID is the id of survey number i in the fixtures.
func surveyID(i int) string { return fmt.Sprintf("019b0000-0000-7000-9000-%012d", i) }

// stop asks the server to end, and returns when it has.
func (s *service) stop() error {
	s.cancel()
	err := s.process.Wait()
	if s.process.ProcessState.Exited() && s.process.ProcessState.ExitCode() != 0 {
		return fmt.Errorf("the test server ended with: %w", err)
	}
	return nil
}

// counted empties the journal, does something, and counts the requests to the API
// that it made.
func (s *service) counted(ctx context.Context, do func() error) (int, error) {
	if err := s.control(ctx, http.MethodDelete, "requests", "", nil); err != nil {
		return 0, err
	}
	if err := do(); err != nil {
		return 0, err
	}
	var requests []json.RawMessage
	err := s.control(ctx, http.MethodGet, "requests", "", &requests)
	return len(requests), err
}

// control works the server from behind.
func (s *service) control(ctx context.Context, method, what, body string, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, s.url+"/_testserver/"+what, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: the test server answered %s: %s", method, what, resp.Status, answer)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer, into)
}
