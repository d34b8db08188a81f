package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// adoptedSurvey is a survey as the web interface would make it.
//
//go:embed adopted.json
var adoptedSurvey string

// adoptedBlocks bring it under Terraform.
//
//go:embed adopted.tf
var adoptedBlocks string

// collections are the paths of everything that the demo makes.
func (s *server) collections() []string {
	return []string{
		"/api/projects/" + s.exports["POSTHOG_PROJECT_ID"] + "/surveys/",
		"/api/organizations/" + s.exports["POSTHOG_ORGANIZATION_ID"] + "/pipeline_import_apps/",
	}
}

// create makes a survey without Terraform and returns its id.
func (s *server) create(ctx context.Context, body string) (string, error) {
	var survey struct{ ID string }
	err := s.call(ctx, http.MethodPost, s.collections()[0], body, &survey)
	if err == nil && survey.ID == "" {
		err = fmt.Errorf("the answer to a new survey names no id")
	}
	return survey.ID, err
}

// count says how many objects a collection holds.
func (s *server) count(ctx context.Context, path string) (int, error) {
	var page struct{ Count *int }
	err := s.call(ctx, http.MethodGet, path, "", &page)
	if err == nil && page.Count == nil {
		err = fmt.Errorf("the answer to GET %s names no count", path)
	}
	if err != nil {
		return 0, err
	}
	return *page.Count, nil
}

// call sends a request to the service and reads the JSON of its response.
func (s *server) call(ctx context.Context, method, path, body string, answer any) error {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.exports["POSTHOG_API_KEY"])
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: the server answered %s: %s", method, path, resp.Status, text)
	}
	return json.Unmarshal(text, answer)
}
