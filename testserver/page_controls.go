package testserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
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
		return "on", p.addRule(json.RawMessage(strings.TrimSpace(form.Get("rule"))))
	}
	fault, err := presetNamed(form.Get("preset"))
	if err != nil {
		return "", err
	}
	fault.Operation = form.Get("operation")
	// Without a number it is every request.
	fault.To, _ = strconv.Atoi(form.Get("times"))
	return "on", p.addFault(fault)
}

// presetNamed is the fault of a preset.
func presetNamed(name string) (Fault, error) {
	preset, ok := page.PresetNamed(name)
	if !ok {
		return Fault{}, fmt.Errorf("there is no common fault %q", name)
	}
	var fault Fault
	return fault, json.Unmarshal([]byte(preset.Effect), &fault)
}

// addFault adds a fault.
func (p pages) addFault(fault Fault) error {
	rule, err := wire.Marshal(fault)
	if err != nil {
		return err
	}
	return p.addRule(rule)
}

// addRule adds a rule.
func (p pages) addRule(document json.RawMessage) error {
	if !json.Valid(document) {
		return errors.New("the rule is not valid JSON")
	}
	rules, err := readRules(wire.Pairs{{Name: "rules", Value: wire.Array([]json.RawMessage{document})}}.JSON())
	if err != nil {
		return err
	}
	return p.server.faults.Add(rules)
}

// failAgain adds a rule by which the next request like one in the journal fails: by a preset,
// or with the response that it got.
func (p pages) failAgain(form url.Values) (done string, err error) {
	number, err := strconv.ParseInt(form.Get("again"), 10, 64)
	r, ok := p.server.JournalEntry(number)
	if err != nil || !ok {
		return "", fmt.Errorf("request %s is not in the journal any more", form.Get("again"))
	}

	fault := Fault{Status: r.Status}
	switch preset := form.Get("preset"); {
	case preset != "same":
		fault, err = presetNamed(preset)
	case r.Status < http.StatusBadRequest:
		err = errors.New("the request did not fail: choose how the next one does")
	default:
		fault.RetryAfter = r.Answer.Headers.Get("Retry-After")
		if len(r.Answer.Body) > 0 && !wire.IsNull(r.Answer.Body) {
			fault.Body = r.Answer.Body
		}
	}
	if err != nil {
		return "", err
	}

	fault.Operation, fault.Path, fault.To = r.Operation, r.Path, 1
	if r.Operation == "" {
		fault.Method = r.Method
	}
	return "again", p.addFault(fault)
}

// rules are the active rules for the page.
func (p pages) rules() []page.Rule {
	var rules []page.Rule
	for _, r := range p.server.faults.Numbered() {
		rules = append(rules, page.Rule{Number: r.Number, JSON: shortened(string(r.Rule), maxShownRule), Hits: r.Hits})
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
		return "no-faults", p.server.SetFaults()
	}

	number, err := strconv.ParseInt(which, 10, 64)
	if err != nil {
		return "", fmt.Errorf("%q is no number of a rule", which)
	}
	removed := p.server.faults.Remove(number)
	if removed == nil {
		return "", errors.New("this rule is not in force any more")
	}
	p.server.collector.replaced(removed, p.server.world.name)
	return "off", nil
}

// clock is the clock for the page.
func (p pages) clock() page.Clock {
	p.server.contents.mu.RLock()
	defer p.server.contents.mu.RUnlock()
	return page.Clock{Now: p.server.contents.time(), Stopped: p.server.contents.store.StoppedClock != nil}
}

// setClock stops the clock at a time, advances it, or lets it run.
func (p pages) setClock(form url.Values) (done string, err error) {
	switch set := form.Get("set"); set {
	case "run":
		p.server.contents.setClock(nil)
		return "runs", nil
	case "time":
		at, err := readPageTime(form.Get("time"))
		if err != nil {
			return "", err
		}
		p.server.SetClock(at)
		return "stopped", nil
	default:
		on, err := time.ParseDuration(set)
		if err != nil {
			return "", fmt.Errorf("the clock can't be set to %q", set)
		}
		p.server.SetClock(p.server.contents.now().Add(on))
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
	p.server.Reset()
	return "reset", nil
}

// clearJournal empties the journal.
func (p pages) clearJournal(url.Values) (done string, err error) {
	p.server.ResetJournal()
	return "empty", nil
}

// setRemoved removes the import apps, or brings them back.
func (p pages) setRemoved(form url.Values) (done string, err error) {
	if form.Get("do") == "bring-back" {
		return "back", p.server.SetRemoved()
	}
	return "removed", p.server.SetRemoved(RemovedImportApps)
}
