package terraform_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	ours "github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// For any response, the request that would create the same survey equals it in every field that a request can have.
// No key is lost and no value changes, not even under undocumented keys. Reading the same response again changes
// nothing.
func TestSurveyIsLossless(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		for _, survey := range rapid.SliceOfN(surveys(false), 1, 10).Draw(t, "surveys") {
			answer, err := json.Marshal(survey)
			if err == nil {
				err = errors.Join(lossless(t.Context(), answer), repeatable(t.Context(), answer))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// lossless reads a response, builds a create request from the result, and returns the differences.
func lossless(ctx context.Context, answer []byte) error {
	fields, err := read(ctx, answer, ours.Fields{}, &attribute.Response{})
	if err != nil {
		return err
	}

	var diags diag.Diagnostics
	request, err := json.Marshal(ours.ToAPI(ctx, fields, ours.Fields{}, func() string { return "new" }, &diags))
	if err != nil || diags.HasError() {
		return fmt.Errorf("what was read cannot be written: %w, %v", err, diags)
	}

	answered, sent := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if err := errors.Join(json.Unmarshal(answer, &answered), json.Unmarshal(request, &sent)); err != nil {
		return err
	}

	var lost []error
	for _, name := range api.Fields("SurveyRequest") {
		if want, ok := expected(name, answered); ok && !sameOrNull(want, sent[name]) {
			lost = append(lost, fmt.Errorf("%s was %s and becomes %s", name, want, sent[name]))
		}
	}

	return errors.Join(lost...)
}

// repeatable reads a response twice and returns what the second read changes.
func repeatable(ctx context.Context, answer []byte) error {
	once, err := read(ctx, answer, ours.Fields{}, &attribute.Response{})
	if err != nil {
		return err
	}

	again := &attribute.Response{}
	twice, err := read(ctx, answer, once, again)
	switch {
	case err != nil:
		return err
	case !reflect.DeepEqual(once, twice):
		return fmt.Errorf("what reads as\n%v\nreads the second time as\n%v", once, twice)
	case len(again.Missing)+len(again.Changed)+len(again.Remembered) > 0:
		return fmt.Errorf("there is something to say about the same answer: %+v", again)
	}

	var diags diag.Diagnostics
	request, err := json.Marshal(ours.ToAPI(ctx, twice, once, func() string { return "new" }, &diags))
	if err != nil {
		return fmt.Errorf("no change cannot be sent: %w", err)
	}
	if diags.HasError() || string(request) != "{}" {
		return fmt.Errorf("no change is sent as %s (%v)", request, diags)
	}

	_, err = read(ctx, answer, once, &attribute.Response{IsWrite: true})
	return err
}

// errUnreadable means that a document is not a survey: either decoding fails before package survey reads it, or a
// question is not an object.
var errUnreadable = errors.New("not a survey")

// read reads a response, given a prior state.
func read(ctx context.Context, answer []byte, prior ours.Fields, a *attribute.Response) (ours.Fields, error) {
	var wire api.Survey
	if err := json.Unmarshal(answer, &wire); err != nil {
		return ours.Fields{}, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	fields, err := ours.FromAPI(ctx, wire, prior, a)
	if questions, _ := wire.Questions.Get(); err != nil && slices.ContainsFunc(questions, isNoObject) {
		err = fmt.Errorf("%w: %w", errUnreadable, err)
	}
	return fields, err
}

func isNoObject(raw json.RawMessage) bool {
	return !strings.HasPrefix(strings.TrimSpace(string(raw)), "{")
}

// expected returns the value of a request's field for a response, and false for fields that no response has or that
// only PostHog computes.
func expected(name string, answered map[string]json.RawMessage) (json.RawMessage, bool) {
	switch name {
	case "remove_targeting_flag", "_create_in_folder", "response_sampling_daily_limits":
		return nil, false

	case "linked_flag_id":
		if answered[name] == nil {
			return keyOf(answered["linked_flag"], "id"), true
		}

	case "targeting_flag_id", "targeting_flag_filters":
		flag := answered["targeting_flag"]
		isOwn := strings.HasPrefix(textOf(keyOf(flag, "key")), "survey-targeting-")
		switch {
		case attribute.IsJSONNull(keyOf(flag, "id")):
			return nil, false
		case isOwn && name == "targeting_flag_filters":
			return keyOf(flag, "filters"), true
		case isOwn || name == "targeting_flag_filters":
			return nil, true
		}
		return keyOf(flag, "id"), true

	case "conditions":
		if inner := textOf(answered[name]); json.Valid([]byte(inner)) {
			return json.RawMessage(inner), true
		}
	}
	return answered[name], true
}

func keyOf(raw json.RawMessage, name string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return nil
	}
	return object[name]
}

func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// sameOrNull compares by meaning. A create request without a field means null.
func sameOrNull(a, b json.RawMessage) bool {
	if attribute.IsJSONNull(a) || attribute.IsJSONNull(b) {
		return attribute.IsJSONNull(a) && attribute.IsJSONNull(b)
	}
	return attribute.SameJSON(string(a), string(b))
}
