package testserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// failAgain adds a rule by which the next request like one in the journal fails: by a preset,
// or with the response that it got.
func (p pages) failAgain(form url.Values) (page.Result, error) {
	number, err := strconv.ParseInt(form.Get("again"), 10, 64)
	e, ok := p.server.journal.numbered(number)
	if err != nil || !ok {
		return "", fmt.Errorf("request %s is not in the journal any more", form.Get("again"))
	}

	r := e.request(*p.server.contents.keys.Load())
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
	return page.FailsAgain, p.addFault(rule.JSON())
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
