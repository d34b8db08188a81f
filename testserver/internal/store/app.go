package store

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// App is a stored pipeline import app; its object has the columns of AppTable.
type App struct {
	Object
	ID           int64
	Organization uuid.UUID
}

// Value is the value of a column.
func (a *App) Value(name string) json.RawMessage { return a.Values[AppTable.Index[name]] }

// sortKey orders apps by id: the sequence is the order of their creation.
func (a *App) sortKey() SortKey { return SortKey{Sequence: a.ID} }

// AppTable are the fields of an app in the order in which the service checks them. url is
// read-only in the document, but a create has to set it, so it is accepted there.
var AppTable = field.NewTable(
	field.Column{Name: "plugin_type", Kind: field.Choice, Known: func(s string) bool { return s == "" || api.PipelineImportAppType(s).Valid() }},
	field.Column{Name: "name", Kind: field.Text, Max: 200},
	field.Column{Name: "description", Kind: field.Text},
	field.Column{Name: "url", Kind: field.Text, CreateOnly: true},
	field.Column{Name: "icon", Kind: field.Text, Max: 800},
	field.Column{Name: "config_schema", NotNull: true, Initial: "{}"},
	field.Column{Name: "tag", Kind: field.Text, Max: 200},
	field.Column{Name: "latest_tag", Kind: field.Text, ReadOnly: true},
	field.Column{Name: "is_global", Kind: field.Boolean, NotNull: true, Initial: "false"},
	field.Column{Name: "capabilities", NotNull: true, Initial: "{}"},
	field.Column{Name: "metrics", Initial: "{}"},
	field.Column{Name: "public_jobs", Initial: "{}"},
	field.Column{Name: "hog_function_migration_available", ReadOnly: true},
)
