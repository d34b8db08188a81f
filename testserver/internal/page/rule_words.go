package page

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// RuleWords are a rule of a fault in words.
type RuleWords struct {
	// Which are the requests that it selects: Count of them, of the operation or path Subject.
	Count, Subject string
	// Effects are what happens to them.
	Effects []string
	// Limit is the number of requests that it hits; 0 for no limit.
	Limit int64
}

// ruleDocument is a rule as it was set.
type ruleDocument struct {
	Operation, Method, Path string
	From, To                int64
	Status                  int
	RetryAfter              any    `json:"retry_after"`
	DelayMS                 int64  `json:"delay_ms"`
	Drop                    string `json:"drop"`
	CutBody                 *int64 `json:"cut_body"`
	HTML                    bool
	Throttle                *struct {
		Requests   int
		PerSeconds int `json:"per_seconds"`
	}
	Edit         json.RawMessage
	EmptyForNull bool `json:"empty_for_null"`
	ReorderKeys  bool `json:"reorder_keys"`
}

// maxSubject and maxWait are the lengths of the longest texts of a rule among its words: they
// stand in each row that the rule hit.
const (
	maxSubject = 300
	maxWait    = 40
)

// InWords reads a checked rule.
func InWords(document json.RawMessage) RuleWords {
	var r ruleDocument
	// Numbers may be written so that no integer takes them: what can't be read is left out.
	_ = json.Unmarshal(document, &r)

	named := slices.DeleteFunc([]string{r.Operation, r.Method, r.Path}, func(part string) bool { return part == "" })
	words := RuleWords{Subject: cut(strings.Join(named, " "), maxSubject), Effects: r.effects()}
	from := max(r.From, 1)
	if r.To > 0 {
		words.Limit = r.To - from + 1
	}

	switch {
	case r.To == 0 && from == 1:
		words.Count = "every"
	case r.To == 0:
		words.Count = "from number " + grouped(from) + " on, every"
	case from > 1 && words.Limit == 1:
		words.Count = "number " + grouped(from) + " of"
	case from > 1:
		words.Count = "numbers " + grouped(from) + " to " + grouped(r.To) + " of"
	case r.To == 1:
		words.Count = "next"
	default:
		words.Count = "next " + grouped(r.To)
	}
	return words
}

// effects are what the rule does, each in a few words.
func (r ruleDocument) effects() []string {
	var effects []string
	add := func(is bool, format string, values ...any) {
		if is {
			effects = append(effects, fmt.Sprintf(format, values...))
		}
	}

	add(r.DelayMS > 0, "delayed %s", milliseconds(r.DelayMS))
	add(r.Status != 0 && !r.HTML, "%d", r.Status)
	add(r.Status != 0 && r.HTML, "HTML page with %d", r.Status)
	add(r.Status == 0 && r.HTML, "HTML page")
	if r.RetryAfter != nil {
		wait := cut(fmt.Sprint(r.RetryAfter), maxWait)
		if _, err := strconv.ParseFloat(wait, 64); err == nil {
			wait += " s"
		}
		add(r.Status == 0 && !r.HTML, "429")
		add(true, "retry after %s", wait)
	}
	if r.Throttle != nil {
		add(true, "429 above %s in %d s", count(int64(r.Throttle.Requests), "request"), r.Throttle.PerSeconds)
	}
	if r.CutBody != nil {
		add(true, "cut after %d B", *r.CutBody)
	}
	add(r.Drop != "", "dropped %s the work", r.Drop)
	add(len(r.Edit) > 0, "edited right before")
	add(r.EmptyForNull, "empty texts for null")
	add(r.ReorderKeys, "keys reordered")
	return effects
}

// milliseconds formats a delay.
func milliseconds(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " ms"
	}
	return strconv.FormatFloat((time.Duration(n)*time.Millisecond).Seconds(), 'f', -1, 64) + " s"
}

// Effect is all effects.
func (w RuleWords) Effect() string { return strings.Join(w.Effects, ", ") }
