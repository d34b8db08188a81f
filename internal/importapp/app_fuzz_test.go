package importapp

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// seeds are answers about import apps such as organizations have, and the oddest
// that an old database holds.
var seeds = []string{
	`{}`, fullAnswer,
	`{"id":42,"plugin_type":"custom","name":"Orders","description":null,"url":"https://github.com/example/orders","icon":null,
	"config_schema":[{"key":"shop","name":"Shop","type":"string","default":"","required":true,"secret":false}],"tag":"4f2a91c","latest_tag":null,
	"is_global":false,"organization_id":"018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d","organization_name":"Shop",
	"capabilities":{"jobs":["backfill"],"methods":[],"scheduled_tasks":["runEveryMinute"]},"metrics":{"orders":"sum"},
	"public_jobs":{"backfill":{"payload":{"since":{"type":"date"}}}},"hog_function_migration_available":false}`,
	`{"id":1,"plugin_type":"wasm","name":"","config_schema":{"shop":{"order":1.50}},"capabilities":{},"metrics":null,"public_jobs":"none",
	"is_global":true,"url":"https://example.com/a?token=1","hog_function_migration_available":{"since":9007199254740993},"brand_new":[null]}`,
}

// FuzzApp reads any document as the response about an import app. Reading never
// panics, what can be read can be written again without loss, and the same response a
// second time changes nothing.
func FuzzApp(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		var wire api.PipelineImportApp
		if json.Unmarshal(answer, &wire) != nil {
			return
		}
		once := FromAPI(wire, Fields{}, &attribute.Response{})
		if err := lossless(answer, ToAPI(once, Fields{})); err != nil {
			t.Fatal(err)
		}
		again := &attribute.Response{}
		if twice := FromAPI(wire, once, again); twice != once || len(again.Missing)+len(again.Changed)+len(again.Remembered) > 0 {
			t.Fatalf("the same answer reads as\n%v\nand then as\n%v\n%+v", once, twice, again)
		}
		FromAPI(wire, once, &attribute.Response{IsWrite: true})
	})
}

// lossless reports what a response has that the request of a create does not. A
// request that is silent says null, and not global.
func lossless(answer []byte, request api.PipelineImportAppRequest) error {
	raw, err := json.Marshal(request)
	answered, sent := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if err := errors.Join(err, json.Unmarshal(answer, &answered), json.Unmarshal(raw, &sent)); err != nil {
		return err
	}

	var lost []error
	for _, name := range api.Fields("PipelineImportAppRequest") {
		var address string
		if name == "url" && json.Unmarshal(answered[name], &address) == nil && holdsToken(address) {
			continue // never read, so that no plan shows it
		}

		isSilent := attribute.IsJSONNull(sent[name])
		if isSilent && (attribute.IsJSONNull(answered[name]) || name == "is_global" && string(answered[name]) == "false") {
			continue
		}

		if isSilent || !attribute.SameJSON(string(answered[name]), string(sent[name])) {
			lost = append(lost, fmt.Errorf("%s was %s and becomes %s", name, answered[name], sent[name]))
		}
	}

	return errors.Join(lost...)
}
