package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// step is one request.
type step struct {
	Name, Method string
	Survey       string // the survey that it is about, by its name in the steps
	Path         string // below the surveys, where it is about none
	Body         json.RawMessage
	Text         string // a body that is no object
	Exact        bool   // the words of an error have to be the same
}

func (s step) body() string { return s.Text + string(s.Body) }

// readSteps reads the steps, and makes one of each refusal.
func readSteps(folder string) ([]step, error) {
	var steps []step
	var refusals []struct {
		Name, Code string
		Exact      bool
		Sent       map[string]json.RawMessage
	}
	for file, into := range map[string]any{"steps.json": &steps, "refusals.json": &refusals} {
		text, err := os.ReadFile(filepath.Join(folder, file))
		if err := errors.Join(err, json.Unmarshal(text, into)); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	for _, r := range refusals {
		body := map[string]json.RawMessage{"name": json.RawMessage(`"PREFIX refused"`), "type": json.RawMessage(`"api"`)}
		if r.Code == "required" {
			clear(body)
		}
		maps.Copy(body, r.Sent)
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step{Name: "refused: " + r.Name, Method: http.MethodPost, Survey: "refused " + r.Name, Body: text, Exact: r.Exact})
	}
	return steps, nil
}

// differences are the places in which two responses to the step differ, a line each.
func (s step) differences(service, ours response) []string {
	var lines []string
	if service.status != ours.status {
		lines = append(lines, fmt.Sprintf("status: service %d, test server %d", service.status, ours.status))
	}
	for _, said := range []any{service.body, ours.body} {
		if failure, ok := said.(map[string]any); ok && failure["detail"] != nil && !s.Exact {
			delete(failure, "detail")
		}
	}
	lines = append(lines, differ("body", service.body, ours.body)...)
	return append(lines, differ("later", service.later, ours.later)...)
}

// differ compares two values.
func differ(at string, service, ours any) []string {
	if reflect.DeepEqual(service, ours) {
		return nil
	}
	var lines []string
	switch one := service.(type) {
	case map[string]any:
		other, ok := ours.(map[string]any)
		if !ok {
			break
		}
		all := maps.Clone(one)
		maps.Copy(all, other)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			has, had := one[name]
			is, was := other[name]
			switch {
			case !was:
				lines = append(lines, fmt.Sprintf("%s.%s: service %s, not at the test server", at, name, shown(has)))
			case !had:
				lines = append(lines, fmt.Sprintf("%s.%s: test server %s, not at the service", at, name, shown(is)))
			default:
				lines = append(lines, differ(at+"."+name, has, is)...)
			}
		}
		return lines
	case []any:
		other, ok := ours.([]any)
		if !ok || len(one) != len(other) {
			break
		}
		for i := range one {
			lines = append(lines, differ(at+"["+strconv.Itoa(i)+"]", one[i], other[i])...)
		}
		return lines
	}
	return []string{fmt.Sprintf("%s: service %s, test server %s", at, shown(service), shown(ours))}
}

// shown is a value as JSON, shortened.
func shown(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	if len(text) > 200 {
		text = append(text[:200], "..."...)
	}
	return string(text)
}

var (
	uuid    = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	flagKey = regexp.MustCompile(`^survey-targeting-[0-9a-z]+`)
)

// persons are the keys of people, whose names stay out of the report.
var persons = []string{"created_by", "user", "last_modified_by"}

// normalized is a value in which an id is told by the order in which the survey came by it.
func (t *target) normalized(key string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		if slices.Contains(persons, key) {
			return "a person"
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			value[name] = t.normalized(name, value[name])
		}
	case []any:
		for i := range value {
			value[i] = t.normalized(key, value[i])
		}
	case float64:
		switch {
		case key == "team_id":
			return "the project"
		case key == "id" || strings.HasSuffix(key, "_flag_id"):
			return t.standIn("number " + strconv.FormatFloat(value, 'f', -1, 64))
		}
	case string:
		if at, err := time.Parse(time.RFC3339, value); err == nil && time.Since(at).Abs() < time.Hour {
			return "now"
		}
		value = flagKey.ReplaceAllString(value, "survey-targeting-key")
		value = strings.ReplaceAll(strings.ReplaceAll(value, t.url, "https://service"), t.key, "KEY")
		return uuid.ReplaceAllStringFunc(value, t.standIn)
	}
	return value
}

// standIn stands for an id of the survey at hand.
func (t *target) standIn(id string) string {
	if t.ids[t.survey] == nil {
		t.ids[t.survey] = map[string]string{}
	}
	known := t.ids[t.survey]
	if known[id] == "" {
		known[id] = fmt.Sprintf("id %d", len(known)+1)
	}
	return known[id]
}
