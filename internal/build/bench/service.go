package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// service is a running test server.
type service struct {
	*process
	url         string
	environment []string // the POSTHOG_ variables that it printed
}

// startService runs a build of the test server with n surveys.
func (g *runner) startService(ctx context.Context, program string, n int) (*service, error) {
	surveys := make([]any, n)
	for i := range surveys {
		surveys[i] = wireSurvey(map[string]any{"project_id": "1", "id": surveyID(i), "name": fmt.Sprintf("Not in any state %05d", i)})
	}

	fixtures, err := g.writeFixtures(strconv.Itoa(n), surveys)
	if err != nil {
		return nil, err
	}

	p, err := start(ctx, program, "-listen", "127.0.0.1:0", "-fixtures", fixtures)
	if err != nil {
		return nil, err
	}

	s := &service{process: p}
	if s.url, err = p.url(); err == nil {
		err = s.readEnvironment()
	}
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// writeFixtures writes a fixtures document with surveys, and returns its path.
func (g *runner) writeFixtures(name string, surveys []any) (string, error) {
	file := filepath.Join(g.dir, "fixtures-"+name+".json")
	return file, os.WriteFile(file, []byte(text(map[string]any{"surveys": surveys})), 0o600)
}

// readEnvironment reads the lines below the address.
func (s *service) readEnvironment() error {
	const variables = 4
	for len(s.environment) < variables {
		if !s.lines.Scan() {
			return fmt.Errorf("the test server did not print how to authenticate, only %v: %w", s.environment, s.lines.Err())
		}
		if assignment, found := strings.CutPrefix(s.lines.Text(), "export "); found {
			s.environment = append(s.environment, assignment)
		}
	}
	return nil
}

// surveyID is the id of survey number i in the fixtures.
func surveyID(i int) string { return fmt.Sprintf("019b0000-0000-7000-9000-%012d", i) }

// countRequests empties the journal, calls do, and counts the requests to the API that it
// made.
func (s *service) countRequests(ctx context.Context, do func() error) (int, error) {
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

// control sends a request to the control interface of the test server.
func (s *service) control(ctx context.Context, method, what, body string, into any) error {
	status, answer, err := ask(ctx, method, s.url+"/_testserver/"+what, body)
	if err != nil {
		return err
	}
	if status >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: the test server answered %d: %s", method, what, status, answer)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer, into)
}

// ask sends one request, and returns the response, whatever it is.
func ask(ctx context.Context, method, url, body string) (status int, answer []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer phx_test")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(resp.Body)
	return resp.StatusCode, answer, err
}
