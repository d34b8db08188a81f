package testserver

import (
	"encoding/json"
	"strings"
)

// appSourceKeys are the keys of an app_sources entry: what the hosted service finds
// when it installs an app from an address. plugin_json is null where it finds none.
var appSourceKeys = []string{"url", "tag", "plugin_json"}

func (l *loader) appSource(path string, raw json.RawMessage) error {
	o := readStrict(path, raw, appSourceKeys)
	o.need("url", "plugin_json")
	s := appSource{tag: o.text("tag", newestTag), description: o.members["plugin_json"]}
	address := o.text("url", "")
	s.url, _, _ = strings.Cut(address, "?")
	if !strings.HasPrefix(address, "file:") {
		s.url = strings.Trim(s.url, "/")
	}
	switch _, taken := l.store.sources[s.url]; {
	case o.err != nil:
		return o.err
	case taken:
		o.fail("url", "another entry has it too")
	case s.description[0] != '{' && s.description[0] != 'n':
		o.fail("plugin_json", "must be an object or null, is %s", kindOf(s.description))
	}
	l.store.sources[s.url] = s
	return o.err
}
