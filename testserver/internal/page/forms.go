package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// setFaults adds a rule, a preset or any other, or removes rules.
func (p pages) setFaults(form url.Values) (done string, err error) {
	if form.Has("remove") {
		return p.removeFaults(form.Get("remove"))
	}

	if form.Has("again") {
		return p.failAgain(form)
	}

	if !form.Has("preset") {
		return "on", p.world.AddFault(json.RawMessage(strings.TrimSpace(form.Get("rule"))))
	}
	rule, err := presetNamed(form.Get("preset"))
	if err != nil {
		return "", err
	}
	// Without a number it is every request.
	times, _ := strconv.Atoi(form.Get("times"))
	return "on", p.addFault(rule, rulesFor{Operation: form.Get("operation"), To: times})
}

// rulesFor are the requests that a rule is for; an empty field is for all.
type rulesFor struct {
	Operation string `json:"operation,omitempty"`
	Method    string `json:"method,omitempty"`
	Path      string `json:"path,omitempty"`
	To        int    `json:"to,omitempty"`
}

// presetNamed is the effect of a preset.
func presetNamed(name string) (json.RawMessage, error) {
	preset, ok := PresetNamed(name)
	if !ok {
		return nil, fmt.Errorf("there is no common fault %q", name)
	}
	return json.RawMessage(preset.Effect), nil
}

// addFault adds a rule with an effect.
func (p pages) addFault(effect json.RawMessage, requests rulesFor) error {
	return p.world.AddFault(append(wire.PairsOf(wire.Encode(requests)), wire.PairsOf(effect)...).JSON())
}

// failAgain adds a rule by which the next request like one in the journal fails: by a preset,
// or with the response that it got.
func (p pages) failAgain(form url.Values) (done string, err error) {
	number, err := strconv.ParseInt(form.Get("again"), 10, 64)
	r, ok := p.world.JournalEntry(number)
	if err != nil || !ok {
		return "", fmt.Errorf("request %s is not in the journal any more", form.Get("again"))
	}

	effect := struct {
		Status     int             `json:"status"`
		RetryAfter string          `json:"retry_after,omitempty"`
		Body       json.RawMessage `json:"body,omitempty"`
	}{Status: r.Status}
	var rule json.RawMessage
	switch preset := form.Get("preset"); {
	case preset != "same":
		rule, err = presetNamed(preset)
	case r.Status < http.StatusBadRequest:
		err = errors.New("the request did not fail: choose how the next one does")
	default:
		effect.RetryAfter = r.Answer.Headers.Get("Retry-After")
		if len(r.Answer.Body) > 0 && !wire.IsNull(r.Answer.Body) {
			effect.Body = r.Answer.Body
		}
		rule = wire.Encode(effect)
	}
	if err != nil {
		return "", err
	}

	requests := rulesFor{Operation: r.Operation, Path: r.Path, To: 1}
	if r.Operation == "" {
		requests.Method = r.Method
	}
	return "again", p.addFault(rule, requests)
}

// rules are the active rules for the page.
func (p pages) rules() []Rule {
	var rules []Rule
	for _, r := range p.world.Faults() {
		rules = append(rules, Rule{Number: r.Number, JSON: shortened(string(r.Rule), maxShownRule), Hits: r.Hits})
	}
	return rules
}

// maxShownRule is how much of a rule the page shows: a response in it may be as long as a page
// of a list.
const maxShownRule = 1000

// shortened cuts off the end of a text that is longer than a number of bytes.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " …"
}

// removeFaults removes the rule with a number, or all.
func (p pages) removeFaults(which string) (done string, err error) {
	if which == "all" {
		return "no-faults", p.world.ReplaceFaults([]byte(`{"rules":[]}`))
	}

	number, err := strconv.ParseInt(which, 10, 64)
	if err != nil {
		return "", fmt.Errorf("%q is no number of a rule", which)
	}
	return "off", p.world.RemoveFault(number)
}

// clock is the clock for the page.
func (p pages) clock() Clock {
	p.world.Mu.RLock()
	defer p.world.Mu.RUnlock()
	return Clock{Now: p.world.Service().Now, Stopped: p.world.Store.StoppedClock != nil}
}

// setClock stops the clock at a time, advances it, or lets it run.
func (p pages) setClock(form url.Values) (done string, err error) {
	switch set := form.Get("set"); set {
	case "run":
		p.world.StopClock(nil)
		return "runs", nil
	case "time":
		at, err := readPageTime(form.Get("time"))
		if err != nil {
			return "", err
		}
		p.world.Operations.SetClock(at)
		return "stopped", nil
	default:
		on, err := time.ParseDuration(set)
		if err != nil {
			return "", fmt.Errorf("the clock can't be set to %q", set)
		}
		p.world.Operations.SetClock(p.world.Contents.Now().Add(on))
		return "stopped", nil
	}
}

// readPageTime parses the time of an input element, which may omit the seconds.
func readPageTime(text string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, errors.New("the clock needs a date and a time")
}

// reset brings back the store of the start.
func (p pages) reset(url.Values) (done string, err error) {
	p.world.Reset()
	return "reset", nil
}

// clearJournal empties the journal.
func (p pages) clearJournal(url.Values) (done string, err error) {
	p.world.ResetJournal()
	return "empty", nil
}

// setRemoved removes the import apps, or brings them back.
func (p pages) setRemoved(form url.Values) (done string, err error) {
	if form.Get("do") == "bring-back" {
		return "back", p.world.SetRemoved()
	}
	return "removed", p.world.SetRemoved(fixtures.RemovedImportApps)
}
