package store

import (
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Object is a stored object: the values of its table's columns in order, and members without a column. Values are
// compact JSON and are kept encoded, because 100,000 surveys must fit into memory and be served quickly. Objects are
// replaced and never modified.
type Object struct {
	Values []wire.Value
	Extra  []wire.Member
}

// NewObject returns an object with the columns of t from input. Missing columns have PostHog's defaults. Input
// members become extra members, unless they are columns or in skip.
func NewObject(t *wire.Table, input wire.Fields, skip []string) Object {
	o := Object{Values: slices.Clone(t.Initial)}
	for i, c := range t.Columns {
		if value := input[c.Name]; !value.IsAbsent() {
			o.Values[i] = value
		}
	}
	return o.Absorb(t, input, skip)
}

// InitialObject returns an object with PostHog's defaults in all columns. Objects share these values.
func InitialObject(t *wire.Table) Object { return Object{Values: t.Initial} }

// Absorb returns a copy to which extra members from input are added. It ignores members that o already contains,
// columns of t, and members in skip.
func (o Object) Absorb(t *wire.Table, input wire.Fields, skip []string) Object {
	o.Extra = slices.Clone(o.Extra)
	for name := range input {
		column := t.Has(name)
		hasName := func(m wire.Member) bool { return m.Name == name }
		if !column && !slices.Contains(skip, name) && !slices.ContainsFunc(o.Extra, hasName) {
			o.Extra = append(o.Extra, wire.Member{Name: name, Value: input[name]})
		}
	}
	slices.SortFunc(o.Extra, func(a, b wire.Member) int { return strings.Compare(a.Name, b.Name) })
	return o
}

// Only returns the extra members with the given names.
func (o Object) Only(names []string) []wire.Member {
	return slices.DeleteFunc(slices.Clone(o.Extra), func(m wire.Member) bool { return !slices.Contains(names, m.Name) })
}

// With returns a copy with column values from input.
func (o Object) With(t *wire.Table, input wire.Fields) Object {
	o.Values = slices.Clone(o.Values)
	for name, value := range input {
		if i, ok := t.Index[name]; ok {
			o.Values[i] = value
		}
	}
	return o
}

// Text returns the string in a column, or "" for null.
func (o Object) Text(t *wire.Table, name string) string {
	return o.Values[t.Index[name]].Text()
}

// IsNull reports whether a column is null.
func (o Object) IsNull(t *wire.Table, name string) bool {
	return o.Values[t.Index[name]].Spelling() == "null"
}

// IsTrue reports whether a column is true.
func (o Object) IsTrue(t *wire.Table, name string) bool {
	return o.Values[t.Index[name]].Spelling() == "true"
}

// Member returns an extra member. The value is absent if the object does not contain it.
func (o Object) Member(name string) wire.Value {
	if i, ok := o.findMember(name); ok {
		return o.Extra[i].Value
	}
	return wire.Value{}
}

// WithMember returns a copy with a changed extra member. An absent value removes the member.
func (o Object) WithMember(name string, value wire.Value) Object {
	o.Extra = slices.Clone(o.Extra)
	i, ok := o.findMember(name)
	switch {
	case ok && value.IsAbsent():
		o.Extra = slices.Delete(o.Extra, i, i+1)
	case ok:
		o.Extra[i].Value = value
	case !value.IsAbsent():
		o.Extra = slices.Insert(o.Extra, i, wire.Member{Name: name, Value: value})
	}
	return o
}

func (o Object) findMember(name string) (int, bool) {
	return slices.BinarySearchFunc(o.Extra, name, func(m wire.Member, name string) int { return strings.Compare(m.Name, name) })
}

// Flag is a feature flag. As in PostHog, a survey's reference to a deleted flag reads as null.
type Flag struct {
	Object
	ID, Project int64
	// AwaitsApproval reports whether an edit of the flag awaits approval. A dump does not contain it.
	AwaitsApproval bool
}

// FlagTable describes the columns of a flag.
var FlagTable = wire.NewTable(
	wire.Column{Name: "name", Kind: wire.Text, Initial: wire.NewText("")},
	wire.Column{Name: "key", Kind: wire.Text},
	wire.Column{Name: "filters", Kind: wire.Object, Initial: wire.EmptyObject},
	wire.Column{Name: "deleted", Kind: wire.Boolean, Initial: wire.NewBool(false)},
	wire.Column{Name: "active", Kind: wire.Boolean, Initial: wire.NewBool(true)},
	wire.Column{Name: "ensure_experience_continuity", Kind: wire.Boolean, Initial: wire.NewBool(false)},
)

// Value returns the value of a column.
func (f *Flag) Value(name string) wire.Value { return f.Values[FlagTable.Index[name]] }

// MakeFlag stores a flag that PostHog creates for a survey.
func (st *Store) MakeFlag(project int64, name, key string, filters wire.Value, active bool) int64 {
	f := &Flag{ID: st.lastFlag + 1, Project: project}
	f.Object = InitialObject(FlagTable).With(FlagTable, wire.Fields{
		"name": wire.NewText(name), "key": wire.NewText(key), "filters": filters, "active": wire.NewBool(active),
	})
	st.AddFlag(f)
	return f.ID
}

// FlagWithKey returns the ID of the project's flag with a key, or 0 if there is none.
func (st *Store) FlagWithKey(project int64, key wire.Value) int64 {
	for f := range st.Flags.Each() {
		if f.Project == project && f.Values[FlagTable.Index["key"]].Spelling() == key.Spelling() {
			return f.ID
		}
	}
	return 0
}

// Filters returns the release conditions of a flag, or an empty object if it has none.
func (f *Flag) Filters() wire.Value {
	if raw := f.Values[FlagTable.Index["filters"]]; raw.IsObject() {
		return raw
	}
	return wire.EmptyObject
}

// ReviseFlag replaces the filters of a flag and increments its version. The filters must be in normal form.
func (st *Store) ReviseFlag(id int64, filters wire.Value) {
	f := st.Flags.Get(id)
	version, err := strconv.ParseInt(f.Member("version").Spelling(), 10, 64)
	if err != nil {
		version = 1
	}
	edited := *f
	edited.Object = f.With(FlagTable, wire.Fields{"filters": filters}).WithMember("version", wire.Of(version+1))
	st.Flags.Put(edited.ID, &edited)
}

// HasNewerFormat reports whether the filters of the flag contain a format version.
func (f *Flag) HasNewerFormat() bool {
	return !f.Filters().Fields()["version"].IsNull()
}

// App is a stored pipeline import app. Its object has the columns of [AppTable].
type App struct {
	Object
	ID           int64
	Organization uuid.UUID
}

// Value returns the value of a column.
func (app *App) Value(name string) wire.Value { return app.Values[AppTable.Index[name]] }

// sortKey orders apps by ID, which is the order of their creation.
func (app *App) sortKey() SortKey { return SortKey{Sequence: app.ID} }

// AppTable describes the fields of an app, in the order of PostHog's checks. The document declares url as
// read-only, but a create request must set it, so the table allows it.
var AppTable = wire.NewTable(
	wire.Column{Name: "plugin_type", Kind: wire.Choice, Known: func(s string) bool { return s == "" || api.PipelineImportAppType(s).Valid() }},
	wire.Column{Name: "name", Kind: wire.Text, Max: 200},
	wire.Column{Name: "description", Kind: wire.Text},
	wire.Column{Name: "url", Kind: wire.Text, CreateOnly: true},
	wire.Column{Name: "icon", Kind: wire.Text, Max: 800},
	wire.Column{Name: "config_schema", NotNull: true, Initial: wire.EmptyObject},
	wire.Column{Name: "tag", Kind: wire.Text, Max: 200},
	wire.Column{Name: "latest_tag", Kind: wire.Text, ReadOnly: true},
	wire.Column{Name: "is_global", Kind: wire.Boolean, NotNull: true, Initial: wire.NewBool(false)},
	wire.Column{Name: "capabilities", NotNull: true, Initial: wire.EmptyObject},
	wire.Column{Name: "metrics", Initial: wire.EmptyObject},
	wire.Column{Name: "public_jobs", Initial: wire.EmptyObject},
	wire.Column{Name: "hog_function_migration_available", ReadOnly: true},
)
