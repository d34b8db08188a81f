package page

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// setFaults adds a preset or another rule, or removes rules.
func (p pages) setFaults(form url.Values) (done string, err error) {
	if form.Has("remove") {
		return p.removeFaults(form.Get("remove"))
	}

	if !form.Has("preset") {
		return "on", p.world.AddFault([]byte(strings.TrimSpace(form.Get("rule"))))
	}
	preset, ok := FindPreset(form.Get("preset"))
	if !ok {
		return "", fmt.Errorf("unknown preset %q", form.Get("preset"))
	}
	// An empty or invalid number applies the rule to every request.
	times, _ := strconv.Atoi(form.Get("times"))
	requests := wire.Of(struct {
		Operation string `json:"operation,omitempty"`
		To        int    `json:"to,omitempty"`
	}{form.Get("operation"), times})

	effect, err := wire.Decode([]byte(preset.Effect))
	if err != nil {
		return "", err
	}
	return "on", p.world.AddFault(wire.NewObject(append(requests.Members(), effect.Members()...)...).JSON())
}

// rules returns the active rules for the page.
func (p pages) rules() []Rule {
	var rules []Rule
	for _, r := range p.world.Faults() {
		rules = append(rules, Rule{Number: r.Number, JSON: shorten(string(r.Rule), maxShownRule), Hits: r.Hits})
	}
	return rules
}

// maxShownRule is the maximum length of a rule on the page. A rule can contain a response as long as a
// page of a list.
const maxShownRule = 1000

// shorten cuts a text to limit bytes and appends an ellipsis.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + " …"
}

// removeFaults removes the rule with the given number, or all rules.
func (p pages) removeFaults(rule string) (done string, err error) {
	if rule == "all" {
		return "no-faults", p.world.ReplaceFaults([]byte(`{"rules":[]}`))
	}

	number, err := strconv.ParseInt(rule, 10, 64)
	if err != nil {
		return "", fmt.Errorf("%q is not a rule number", rule)
	}
	return "off", p.world.RemoveFault(number)
}

// clock returns the clock for the page.
func (p pages) clock() Clock {
	p.world.Mu.RLock()
	defer p.world.Mu.RUnlock()
	return Clock{Now: p.world.Service().Now, Stopped: p.world.Store.StoppedClock != nil}
}

// setClock stops, advances, or starts the clock, and runs the jobs that are due.
func (p pages) setClock(form url.Values) (done string, err error) {
	switch set := form.Get("set"); set {
	case "run":
		p.world.StopClock(nil)
		return "runs", nil
	case "jobs":
		p.world.RunJobs()
		return "jobs", nil
	case "time":
		date, err := readPageTime(form.Get("time"))
		if err != nil {
			return "", err
		}
		p.world.Operations.SetClock(date)
		return "stopped", nil
	default:
		duration, err := time.ParseDuration(set)
		if err != nil {
			return "", fmt.Errorf("could not set the clock to %q", set)
		}
		p.world.Operations.SetClock(p.world.Contents.Now().Add(duration))
		return "stopped", nil
	}
}

// readPageTime parses the time of an input element, which may omit the seconds.
func readPageTime(text string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if date, err := time.Parse(layout, text); err == nil {
			return date, nil
		}
	}
	return time.Time{}, errors.New("the clock needs a date and a time")
}

// reset restores the initial store.
func (p pages) reset(url.Values) (done string, err error) {
	p.world.Reset()
	return "reset", nil
}

// clearJournal empties the journal.
func (p pages) clearJournal(url.Values) (done string, err error) {
	p.world.ResetJournal()
	return "empty", nil
}

// setRemovals removes or restores the routes of import apps.
func (p pages) setRemovals(form url.Values) (done string, err error) {
	if form.Get("do") == "bring-back" {
		return "back", p.world.SetRemoved()
	}
	return "removed", p.world.SetRemoved(fixtures.RemovedImportApps)
}
