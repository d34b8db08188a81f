package testserver

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/htmlclean"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// cleanText removes from a JSON string what the hosted service considers dangerous.
func cleanText(raw json.RawMessage) json.RawMessage {
	s := rawjson.Unquote(raw)
	cleaned := htmlclean.Clean(s)
	if cleaned == s {
		return raw
	}
	return rawjson.Quote(cleaned)
}
