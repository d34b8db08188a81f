package testserver

import (
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// appKeys are the keys of an app in the order of the wire.
var appKeys = []key[*app]{
	newKey("id", func(b []byte, _ answering, a *app) []byte { return strconv.AppendInt(b, a.id, 10) }),
	appColumn("plugin_type"), appColumn("name"), appColumn("description"), newKey("url", appendAppURL),
	appColumn("icon"), appColumn("config_schema"), appColumn("tag"), appColumn("latest_tag"), appColumn("is_global"),
	newKey("organization_id", func(b []byte, _ answering, a *app) []byte { return appendUUID(b, a.organization) }),
	newKey("organization_name", func(b []byte, w answering, a *app) []byte {
		return rawjson.AppendQuoted(b, w.store.organizations[a.organization].name)
	}),
	appColumn("capabilities"), appColumn("metrics"), appColumn("public_jobs"), appColumn("hog_function_migration_available"),
}

func appColumn(name string) key[*app] {
	i := appTable.Index[name]
	return newKey(name, func(b []byte, _ answering, a *app) []byte { return append(b, a.values[i]...) })
}

// appendAppURL omits the query, which may contain a private token.
func appendAppURL(b []byte, w answering, a *app) []byte {
	raw := a.values[appTable.Index["url"]]
	shown, _, cut := strings.Cut(rawjson.Unquote(raw), "?")
	if !cut || w.asEntry {
		return append(b, raw...)
	}
	return rawjson.AppendQuoted(b, shown)
}
