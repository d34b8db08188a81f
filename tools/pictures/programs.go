package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// surveyID is the survey of the pictures.
const surveyID = "0190d6a4-0000-7000-8000-000000000001"

// programs are the running programs that the pictures show.
type programs struct {
	bin, work string
	// server is the address of the test server.
	server  string
	running []*exec.Cmd
}

// snapshot is the file that surveys are read from, in the form of the server's fixtures.
func (p *programs) snapshot() string { return "fixtures.json" }

// start starts a program that serves, and returns the address that its first line ends in.
func (p *programs) start(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, name), args...) //nolint:gosec // ours
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	p.running = append(p.running, cmd)

	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("%s did not start: %w", name, err)
	}
	_, address, found := strings.Cut(strings.TrimSpace(line), "http://")
	if !found {
		return "", fmt.Errorf("%s prints no address: %s", name, line)
	}
	return "http://" + strings.TrimSuffix(address, "/"), nil
}

func (p *programs) startServer(ctx context.Context) (err error) {
	p.server, err = p.start(ctx, "posthog-testserver", "-listen", "127.0.0.1:0", "-delivery", "-fixtures", "fixtures.json")
	return err
}

func (p *programs) startPreview(ctx context.Context) (string, error) {
	return p.start(ctx, "posthog-sync", "preview", "file:"+p.snapshot(), "--select", "Quarterly NPS")
}

// startTry starts a trial, and returns the address of a visit.
func (p *programs) startTry(ctx context.Context) (string, error) {
	address, err := p.start(ctx, "posthog-sync", "try", "file:"+p.snapshot())
	visit := url.Values{"distinct_id": {"ada"}, "properties": {`{"plan": "pro"}`}, "url": {"https://app.example.com/billing"}, "device": {"Mobile"}}
	return address + "/?" + visit.Encode(), err
}

// surveyArrived is a promise that a trial shows a survey, and the event of it.
const surveyArrived = `new Promise((done) => {
	const look = () => {
		const app = document.querySelector("iframe").contentDocument;
		const survey = app?.querySelector("div[class^=PostHogSurvey-]")?.shadowRoot?.textContent;
		survey && document.querySelector("#seen li") ? done(true) : setTimeout(look, 100);
	};
	look();
})`

// stop ends the programs.
func (p *programs) stop() {
	for _, cmd := range p.running {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// sync runs posthog-sync against the server and returns what it prints.
func (p *programs) sync(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, "posthog-sync"), args...) //nolint:gosec // ours
	cmd.Env = append(os.Environ(), "POSTHOG_BASE_URL="+p.server, "POSTHOG_API_KEY=phx_test", "POSTHOG_PROJECT_ID=1")
	cmd.Stderr = os.Stderr
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("posthog-sync %s: %w", args[0], err)
	}
	return out.Bytes(), nil
}

// makeRequests fills the journal of the server.
func (p *programs) makeRequests(ctx context.Context) error {
	const surveys = "/api/projects/1/surveys/"
	var failed error
	send := func(method, path, body string) {
		req, err := http.NewRequestWithContext(ctx, method, p.server+path, strings.NewReader(body))
		if err != nil {
			failed = errors.Join(failed, err)
			return
		}
		req.Header.Set("Authorization", "Bearer phx_test")
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			failed = errors.Join(failed, err)
			return
		}
		_, err = io.Copy(io.Discard, resp.Body)
		failed = errors.Join(failed, err, resp.Body.Close())
	}

	send(http.MethodPut, "/_testserver/clock", `{"clock": "2026-01-31T12:00:00Z"}`)
	send(http.MethodPut, "/_testserver/faults", `{"rules": [{"operation": "surveys_create", "to": 1, "status": 503, "retry_after": "2"}]}`)
	send(http.MethodGet, surveys+"?limit=2", "")
	send(http.MethodGet, surveys+"responses_count/", "")
	send(http.MethodGet, surveys+surveyID+"/", "")
	send(http.MethodPatch, surveys+"0190d6a4-0000-7000-8000-000000000002/", `{"description": "Asked when somebody closes the account."}`)
	send(http.MethodGet, surveys+"nothing/", "")
	send(http.MethodPost, surveys, `{"type": "popover"}`)
	send(http.MethodPost, surveys, `{"name": "Onboarding"}`)
	send(http.MethodPost, surveys, `{"name": "Onboarding", "type": "popover", "questions": [{"type": "open", "question": "How was the start?"}]}`)
	send(http.MethodPost, "/batch/", surveyEvents)
	return failed
}

// surveyEvents are what apps send about the survey of the pictures.
const surveyEvents = `{"api_key": "phc_test", "sent_at": "2026-01-31T12:00:00Z", "batch": [
	{"event": "survey shown", "timestamp": "2026-01-31T11:41:07Z", "distinct_id": "0197-anonymous", "properties": {"$survey_id": "` + surveyID + `"}},
	{"event": "$identify", "timestamp": "2026-01-31T11:41:30Z", "distinct_id": "anna@example.com", "properties": {"$anon_distinct_id": "0197-anonymous", "$set": {"plan": "pro"}}},
	{"event": "survey sent", "timestamp": "2026-01-31T11:42:12Z", "distinct_id": "anna@example.com", "properties": {"$survey_id": "` + surveyID + `",
		"$survey_response_q0": "7", "$survey_response_q2": ["Speed", "Dark mode"], "$set": {"$survey_responded/` + surveyID + `": true}}},
	{"event": "survey shown", "timestamp": "2026-01-31T11:55:02Z", "distinct_id": "ben@example.com", "properties": {"$survey_id": "` + surveyID + `"}},
	{"event": "survey dismissed", "timestamp": "2026-01-31T11:55:09Z", "distinct_id": "ben@example.com", "properties": {"$survey_id": "` + surveyID + `"}}]}`
