package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// step is a request. If Sent is set, the request creates a survey with these fields, and PostHog refuses it.
type step struct {
	Name, Method string
	Survey       string // the name of its survey in the steps
	Path         string // relative to the surveys path, for a step without a survey
	Body, Sent   json.RawMessage
	Text         string // a body that is not an object
	Code         string
	Exact        bool // whether the texts of errors must be equal
}

// body returns the request body. If a key occurs twice, the last one counts.
func (s step) body() string {
	switch {
	case s.Sent == nil:
		return s.Text + string(s.Body)
	case s.Code == "required":
		return string(s.Sent)
	}
	return `{"name": "PREFIX refused", "type": "api", ` + strings.TrimPrefix(string(s.Sent), "{")
}

func readSteps(folder string) (all []step, err error) {
	for _, file := range []string{"steps.json", "refusals.json"} {
		var steps []step
		text, err := os.ReadFile(filepath.Join(folder, file))
		if err := errors.Join(err, json.Unmarshal(text, &steps)); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, steps...)
	}
	for i, s := range all {
		if s.Sent != nil {
			all[i].Method, all[i].Survey = http.MethodPost, "refused "+s.Name
		}
	}
	return all, nil
}

// differences returns the differences between two responses to the step, one per line.
func (s step) differences(service, ours response) []string {
	var lines []string
	places := maps.Clone(service)
	maps.Copy(places, ours)
	for _, place := range slices.Sorted(maps.Keys(places)) {
		serviceValue, inService := service[place]
		ourValue, inOurs := ours[place]
		switch {
		case serviceValue == ourValue && inService == inOurs, place == "body.detail" && inService && inOurs && !s.Exact:
		case !inOurs:
			lines = append(lines, fmt.Sprintf("%s: service %s, not at the test server", place, serviceValue))
		case !inService:
			lines = append(lines, fmt.Sprintf("%s: test server %s, not at the service", place, ourValue))
		default:
			lines = append(lines, fmt.Sprintf("%s: service %s, test server %s", place, serviceValue, ourValue))
		}
	}
	return lines
}

var (
	uuid    = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	flagKey = regexp.MustCompile(`^survey-targeting-[0-9a-z]+`)
)

// persons are keys with data about persons, which the report omits.
var persons = []string{"created_by", "user", "last_modified_by"}

// flatten adds a body's values to r, keyed by path. It omits values that differ in every run, and replaces each ID
// with its number in the order in which the survey received the IDs.
func (t *target) flatten(r response, place, key string, value any) {
	switch value := value.(type) {
	case map[string]any:
		if slices.Contains(persons, key) {
			r[place] = "a person"
			return
		}

		for _, name := range slices.Sorted(maps.Keys(value)) {
			t.flatten(r, place+"."+name, name, value[name])
		}
		if len(value) > 0 {
			return
		}
	case []any:
		for i := range value {
			t.flatten(r, fmt.Sprintf("%s[%d]", place, i), key, value[i])
		}
		if len(value) > 0 {
			return
		}
	}

	text, err := json.Marshal(t.normal(key, value))
	if err != nil {
		panic(err) // the value was decoded from JSON
	}
	r[place] = string(text[:min(len(text), 200)])
}

// normal replaces the parts of a value that differ in every run.
func (t *target) normal(key string, value any) any {
	switch value := value.(type) {
	case float64:
		switch {
		case key == "team_id":
			return "the project"
		case key == "id" || strings.HasSuffix(key, "_flag_id"):
			return t.placeholder("number " + strconv.FormatFloat(value, 'f', -1, 64))
		}
	case string:
		if moment, err := time.Parse(time.RFC3339, value); err == nil && time.Since(moment).Abs() < time.Hour {
			return "now"
		}
		value = flagKey.ReplaceAllString(value, "survey-targeting-key")
		value = strings.ReplaceAll(strings.ReplaceAll(value, t.url, "https://service"), t.key, "KEY")
		return uuid.ReplaceAllStringFunc(value, t.placeholder)
	}
	return value
}

// placeholder returns a placeholder for an ID of the current survey.
func (t *target) placeholder(id string) string {
	if t.ids[t.survey] == nil {
		t.ids[t.survey] = map[string]string{}
	}
	placeholders := t.ids[t.survey]
	if placeholders[id] == "" {
		placeholders[id] = fmt.Sprintf("id %d", len(placeholders)+1)
	}
	return placeholders[id]
}
