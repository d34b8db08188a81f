package testserver

import (
	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// app is a stored pipeline import app; its object has the columns of appTable.
type app struct {
	object
	id           int64
	organization uuid.UUID
}

// where orders apps by id: the sequence is the order of their creation.
func (a *app) where() place { return place{arrival: a.id} }

// appTable are the fields of an app in the order in which the service checks them. url is
// read-only in the document, but a create has to set it, so it is accepted there.
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
