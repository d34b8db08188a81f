package testserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// setFaults adds a rule, a preset or any other, or removes rules.
func (p pages) setFaults(form url.Values) (page.Result, error) {
	if form.Has("remove") {
		return p.removeFaults(form.Get("remove"))
	}

	if form.Has("again") {
		return p.failAgain(form)
	}

	rule := json.RawMessage(strings.TrimSpace(form.Get("rule")))
	if form.Has("preset") {
		preset, ok := page.PresetNamed(form.Get("preset"))
		if !ok {
			return "", fmt.Errorf("there is no common fault %q", form.Get("preset"))
		}
		rule = presetRule(preset, form)
	}

	return page.SwitchedOn, p.addFault(rule)
}

// addFault adds a rule.
func (p pages) addFault(document json.RawMessage) error {
	if !json.Valid(document) {
		return errors.New("the rule is not valid JSON")
	}
	rules, err := readRules(rawjson.Pairs{{Name: "rules", Value: rawjson.Array([]json.RawMessage{document})}}.JSON())
	if err != nil {
		return err
	}

	p.server.faults.mu.Lock()
	defer p.server.faults.mu.Unlock()
	if len(p.server.faults.rules)+len(rules) > maxRules {
		return errTooManyRules
	}
	p.server.faults.add(rules)
	return nil
}

// pageRules are the active rules for the page.
func (f *faults) pageRules() []page.Rule {
	f.mu.Lock()
	defer f.mu.Unlock()
	rules := make([]page.Rule, len(f.rules))
	for i, r := range f.rules {
		rules[i] = page.Rule{Number: r.number, JSON: shortened(string(r.document)), Words: r.words, Hits: r.hits}
	}
	return rules
}

// maxRuleText is how much of a rule the page shows: a response in it may be as long as a page
// of a list.
const maxRuleText = 2000

// shortened cuts off the end of a long text.
func shortened(text string) string {
	if len(text) <= maxRuleText {
		return text
	}
	return strings.ToValidUTF8(text[:maxRuleText], "") + " …"
}

// presetRule is the rule of a preset, for the operation and the number of requests in the
// form.
func presetRule(preset page.Preset, form url.Values) json.RawMessage {
	rule := rawjson.Pairs{}
	if operation := form.Get("operation"); operation != "" {
		rule = rule.With("operation", rawjson.Quote(operation))
	}
	if times, err := strconv.Atoi(form.Get("times")); err == nil {
		rule = rule.With("to", rawjson.Encode(times))
	}
	for _, effect := range rawjson.PairsOf(json.RawMessage(preset.Effect)) {
		rule = rule.With(effect.Name, effect.Value)
	}
	return rule.JSON()
}

// removeFaults removes the rule with a number, or all.
func (p pages) removeFaults(which string) (page.Result, error) {
	if which == "all" {
		return page.NoFaults, p.server.SetFaults()
	}

	number, err := strconv.ParseInt(which, 10, 64)
	if err != nil {
		return "", fmt.Errorf("%q is no number of a rule", which)
	}
	removed := p.server.faults.remove(number)
	if removed == nil {
		return "", errors.New("this rule is not in force any more")
	}
	p.server.collector.replaced(removed, p.server.world.name)
	return page.SwitchedOff, nil
}

// clock is the clock for the page.
func (p pages) clock() page.Clock {
	p.server.contents.mu.RLock()
	defer p.server.contents.mu.RUnlock()
	return page.Clock{Now: p.server.contents.time(), Stopped: p.server.contents.store.StoppedClock != nil}
}

// setClock stops the clock at a time, advances it, or lets it run.
func (p pages) setClock(form url.Values) (page.Result, error) {
	switch set := form.Get("set"); set {
	case "run":
		p.server.contents.setClock(nil)
		return page.ClockRuns, nil
	case "time":
		at, err := readPageTime(form.Get("time"))
		if err != nil {
			return "", err
		}
		p.server.SetClock(at)
		return page.ClockStopped, nil
	default:
		on, err := time.ParseDuration(set)
		if err != nil {
			return "", fmt.Errorf("the clock can't be set to %q", set)
		}
		p.server.SetClock(p.server.contents.now().Add(on))
		return page.ClockStopped, nil
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

// clearJournal empties the journal.
func (p pages) clearJournal(url.Values) (page.Result, error) {
	p.server.ResetJournal()
	return page.JournalEmpty, nil
}
