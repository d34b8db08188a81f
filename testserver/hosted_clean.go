package testserver

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/htmlclean"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// cleanText cleans a JSON string of what the hosted service takes for dangerous.
func cleanText(raw json.RawMessage) json.RawMessage {
	s := rawjson.Unquote(raw)
	cleaned := htmlclean.Clean(s)
	if cleaned == s {
		return raw
	}
	return rawjson.Quote(cleaned)
}
