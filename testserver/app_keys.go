package testserver

import (
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// appKeys are the keys of an app in the order of the wire.
var appKeys = []key[*store.App]{
	newKey("id", func(b []byte, _ encoding, a *store.App) []byte { return strconv.AppendInt(b, a.ID, 10) }),
	appColumn("plugin_type"), appColumn("name"), appColumn("description"), newKey("url", appendAppURL),
	appColumn("icon"), appColumn("config_schema"), appColumn("tag"), appColumn("latest_tag"), appColumn("is_global"),
	newKey("organization_id", func(b []byte, _ encoding, a *store.App) []byte { return appendUUID(b, a.Organization) }),
	newKey("organization_name", func(b []byte, w encoding, a *store.App) []byte {
		return rawjson.AppendQuoted(b, w.store.Organization(a.Organization).Name)
	}),
	appColumn("capabilities"), appColumn("metrics"), appColumn("public_jobs"), appColumn("hog_function_migration_available"),
}

func appColumn(name string) key[*store.App] {
	i := store.AppTable.Index[name]
	return newKey(name, func(b []byte, _ encoding, a *store.App) []byte { return append(b, a.Values[i]...) })
}

// appendAppURL omits the query, which may contain a private token.
func appendAppURL(b []byte, w encoding, a *store.App) []byte {
	raw := a.Values[store.AppTable.Index["url"]]
	shown, _, cut := strings.Cut(rawjson.Unquote(raw), "?")
	if !cut || w.asEntry {
		return append(b, raw...)
	}
	return rawjson.AppendQuoted(b, shown)
}
