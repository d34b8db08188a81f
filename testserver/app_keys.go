package testserver

import (
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// app is a stored pipeline import app; its object has the columns of appTable.
type app struct {
	object
	id           int64
	organization uuid.UUID
}

// where orders apps by id: the sequence is the order of their creation.
func (a *app) where() place { return place{arrival: a.id} }

// appTable are the fields of an app in the order in which the service checks them.
// The document lets clients only read url, but without writing it once nobody
// could: it is taken on create.
var appTable = newTable(
	column{name: "plugin_type", kind: choice, known: func(s string) bool { return api.PipelineImportAppType(s).Valid() }},
	column{name: "name", kind: text, max: 200},
	column{name: "description", kind: text},
	column{name: "url", kind: text, createOnly: true},
	column{name: "icon", kind: text, max: 800},
	column{name: "config_schema", notNull: true, initial: "{}"},
	column{name: "tag", kind: text, max: 200},
	column{name: "latest_tag", kind: text, readOnly: true},
	column{name: "is_global", kind: boolean, notNull: true, initial: "false"},
	column{name: "capabilities", notNull: true, initial: "{}"},
	column{name: "metrics", initial: "{}"},
	column{name: "public_jobs", initial: "{}"},
	column{name: "hog_function_migration_available", readOnly: true},
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
	i := appTable.index[name]
	return newKey(name, func(b []byte, _ answering, a *app) []byte { return append(b, a.values[i]...) })
}

// appendAppURL leaves out the query, where private tokens are.
func appendAppURL(b []byte, w answering, a *app) []byte {
	raw := a.values[appTable.index["url"]]
	shown, _, cut := strings.Cut(rawjson.Unquote(raw), "?")
	if !cut || w.whole {
		return append(b, raw...)
	}
	return rawjson.AppendQuoted(b, shown)
}
