package testserver

import (
	"encoding/json"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// appSourceKeys are the keys of an app_sources entry: the code that the hosted service
// finds when it installs an app from a URL. plugin_json is null if it finds none.
var appSourceKeys = []string{"url", "tag", "plugin_json"}

func (l *loader) appSource(path string, raw json.RawMessage) error {
	o := strictjson.Read(path, raw, appSourceKeys)
	o.Require("url", "plugin_json")
	s := store.Source{Tag: o.Text("tag", store.NewestTag), Description: o.Fields["plugin_json"]}
	address := o.Text("url", "")
	s.URL, _, _ = strings.Cut(address, "?")
	if !strings.HasPrefix(address, "file:") {
		s.URL = strings.Trim(s.URL, "/")
	}
	switch taken := l.store.Sources.Has(s.URL); {
	case o.Err != nil:
		return o.Err
	case taken:
		o.Fail("url", "another entry has it too")
	case s.Description[0] != '{' && s.Description[0] != 'n':
		o.Fail("plugin_json", "must be an object or null, is %s", rawjson.Kind(s.Description))
	}
	l.store.AddSource(s)
	return o.Err
}
