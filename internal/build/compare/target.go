package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"
)

// target is one of the two compared servers.
type target struct {
	client            *http.Client
	url, key, project string
	pace              time.Duration // the time between two requests

	prefix  string                       // the prefix of survey names
	survey  string                       // the survey of the current step
	surveys map[string]string            // maps names in the steps to survey IDs
	ids     map[string]map[string]string // maps the IDs of each survey to placeholders in the report
}

// inProcess passes requests to a server without a network.
type inProcess struct{ server http.Handler }

// RoundTrip implements http.RoundTripper.
func (i inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	i.server.ServeHTTP(recorder, r)
	return recorder.Result(), nil
}

// response contains a target's response, and the response to a read after a write, as JSON values keyed by path.
type response map[string]string

// ask sends a request. path is relative to the project's surveys path.
func (t *target) ask(ctx context.Context, method, path, body string) (int, []byte, error) {
	select {
	case <-ctx.Done():
		return 0, nil, ctx.Err()
	case <-time.After(t.pace):
	}
	req, err := http.NewRequestWithContext(ctx, method, t.url+"/api/projects/"+t.project+"/surveys/"+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+t.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := t.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		err = errors.Join(err, fmt.Errorf("%s %s: %s; the key needs survey:write, and no other program may use it at the same time", method, path, resp.Status))
	}
	return resp.StatusCode, text, err
}

// play sends the request of a step. After a write, it reads the survey again.
func (t *target) play(ctx context.Context, s step) (response, error) {
	t.survey = s.Survey
	path := s.Path
	if id := t.surveys[s.Survey]; id != "" {
		path = id + "/"
	}
	status, text, err := t.ask(ctx, s.Method, path, strings.ReplaceAll(s.body(), "PREFIX", t.prefix))
	if err != nil {
		return nil, err
	}

	var made struct{ ID string }
	if s.Method == http.MethodPost && status == http.StatusCreated {
		if err := json.Unmarshal(text, &made); err != nil || made.ID == "" {
			return nil, errors.Join(fmt.Errorf("%s: the response contains a survey without an ID", s.Name), err)
		}
		t.surveys[s.Survey] = made.ID
	}
	r := response{}
	t.add(r, "", status, text)
	if id := t.surveys[s.Survey]; id != "" && s.Method != http.MethodGet {
		if status, text, err = t.ask(ctx, http.MethodGet, id+"/", ""); err != nil {
			return nil, err
		}
		t.add(r, "later ", status, text)
	}
	return r, nil
}

// add adds the response to a request.
func (t *target) add(r response, when string, status int, text []byte) {
	r[when+"status"] = strconv.Itoa(status)
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		value = http.DetectContentType(text)
	}
	t.flatten(r, when+"body", "", value)
}

// countRunning returns the number of surveys that respondents can see.
func (t *target) countRunning(ctx context.Context) (running int, err error) {
	for offset := 0; ; offset += 100 {
		status, text, err := t.ask(ctx, http.MethodGet, fmt.Sprintf("?limit=100&offset=%d", offset), "")
		if err != nil {
			return 0, err
		}

		var page struct {
			Next    *string
			Results []struct {
				Start    *string `json:"start_date"`
				End      *string `json:"end_date"`
				Archived bool
			}
		}
		if err := json.Unmarshal(text, &page); err != nil || status != http.StatusOK {
			return 0, errors.Join(fmt.Errorf("could not list the surveys: status %d", status), err)
		}

		for _, s := range page.Results {
			if s.Start != nil && s.End == nil && !s.Archived {
				running++
			}
		}

		if page.Next == nil {
			return running, nil
		}
	}
}

// deleteAll deletes the surveys of this run, and of an earlier run that was interrupted.
func (t *target) deleteAll(ctx context.Context) (err error) {
	for name, id := range t.surveys {
		status, _, failed := t.ask(ctx, http.MethodDelete, id+"/", "")
		if failed != nil || status != http.StatusNoContent && status != http.StatusNotFound {
			err = errors.Join(err, fmt.Errorf("could not delete survey %s (%s), status %d. Delete it by hand", id, name, status), failed)
		}
	}
	return err
}
