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
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// setFaults adds a rule, a preset or any other, or removes rules.
func (p pages) setFaults(form url.Values) (done string, err error) {
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

	return "on", p.addFault(rule)
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

	rule := rawjson.Pairs{}
	if r.Operation != "" {
		rule = rule.With("operation", rawjson.Quote(r.Operation))
	} else {
		rule = rule.With("method", rawjson.Quote(r.Method))
	}
	rule = rule.With("path", rawjson.Quote(r.Path)).With("to", rawjson.Encode(1))

	effects, err := effectsLike(r, form.Get("preset"))
	if err != nil {
		return "", err
	}
	for _, effect := range effects {
		rule = rule.With(effect.Name, effect.Value)
	}
	return "again", p.addFault(rule.JSON())
}

// effectsLike are the effects of a preset, or those that repeat the response to a request.
func effectsLike(r Request, preset string) (rawjson.Pairs, error) {
	if preset != "same" {
		found, ok := page.PresetNamed(preset)
		if !ok {
			return nil, fmt.Errorf("there is no common fault %q", preset)
		}
		return rawjson.PairsOf(json.RawMessage(found.Effect)), nil
	}
	if r.Status < http.StatusBadRequest {
		return nil, errors.New("the request did not fail: choose how the next one does")
	}

	effects := rawjson.Pairs{{Name: "status", Value: rawjson.Encode(r.Status)}}
	if wait := r.Answer.Headers.Get("Retry-After"); wait != "" {
		effects = effects.With("retry_after", rawjson.Quote(wait))
	}
	if len(r.Answer.Body) > 0 && !rawjson.IsNull(r.Answer.Body) {
		effects = effects.With("body", r.Answer.Body)
	}
	return effects, nil
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
