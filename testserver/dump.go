package testserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// Dump writes the store as a fixtures document, one entry a line. Loading it and dumping
// again gives the same document.
func (d *direct) Dump(to io.Writer) error {
	d.contents.mu.RLock()
	st := d.contents.store.Clone()
	d.contents.mu.RUnlock()
	return dump(to, d.contents.profile, st)
}

// dump writes a store as a fixtures document.
func dump(to io.Writer, p *profile, st *store.Store) error {
	d := &dumper{out: bufio.NewWriterSize(to, 64<<10), encoding: encoding{profile: p, store: st, asEntry: true}}

	d.line = append(d.line, `{"clock":`...)
	if st.StoppedClock == nil {
		d.line = append(d.line, "null"...)
	} else {
		d.line = append(d.line, rawjson.Quote(st.StoppedClock.Format(time.RFC3339Nano))...)
	}

	if len(st.Removed) > 0 {
		d.line = append(d.line, ",\n\"removed\":"...)
		d.line = encoded(d.line, st.Removed)
	}

	d.people(st)
	d.flags(st)
	d.nouns(st)
	d.responses(st)
	d.events(st)
	d.line = append(d.line, "}\n"...)

	d.flush()
	if err := d.out.Flush(); err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	return nil
}

// dumper writes line by line. It keeps the first error of the writer.
type dumper struct {
	out      *bufio.Writer
	line     []byte
	encoding encoding
}

func (d *dumper) flush() {
	_, _ = d.out.Write(d.line)
	d.line = d.line[:0]
}

// list writes a list of the document.
func list[T any](d *dumper, name string, items []T, entry func(b []byte, item T) []byte) {
	d.line = append(d.line, ",\n"...)
	d.line = append(rawjson.AppendQuoted(d.line, name), ":["...)
	for i, item := range items {
		if i > 0 {
			d.line = append(d.line, ',')
		}
		d.line = append(d.line, '\n')
		d.line = entry(d.line, item)
		d.flush()
	}
	d.line = append(d.line, ']')
}

func encoded(b []byte, v any) []byte { return append(b, rawjson.Encode(v)...) }

func (d *dumper) people(st *store.Store) {
	list(d, "organizations", st.OrganizationIDs(), func(b []byte, id uuid.UUID) []byte {
		o := st.Organization(id)
		return encoded(b, struct {
			ID       uuid.UUID       `json:"id"`
			Name     string          `json:"name"`
			Level    int64           `json:"plugins_access_level"`
			Features json.RawMessage `json:"features"`
		}{o.ID, o.Name, o.AccessLevel, o.Features})
	})

	list(d, "projects", st.Projects.Sorted(), func(b []byte, p *store.Project) []byte {
		return encoded(b, entryOfProject(p))
	})

	list(d, "users", st.Users.Sorted(), func(b []byte, u *store.User) []byte {
		b = appendObject(b, d.encoding, "User", userKeys, u, u.Only(userEntryKeys))
		b = append(b[:len(b)-1], `,"organization_ids":`...)
		b = encoded(b, append([]uuid.UUID{}, u.Organizations...))
		if u.Projects != nil {
			b = encoded(append(b, `,"project_ids":`...), u.Projects)
		}
		b = append(b, `,"is_active":`...)
		return append(strconv.AppendBool(b, u.Active), '}')
	})

	list(d, "api_keys", st.KeyTokens(), func(b []byte, key string) []byte {
		k := st.Keys.Get(key)
		return encoded(b, struct {
			Key           string      `json:"key"`
			User          int64       `json:"user_id"`
			Scopes        []string    `json:"scopes"`
			Projects      []int64     `json:"project_ids"`
			Organizations []uuid.UUID `json:"organization_ids"`
		}{k.Token, k.User, append([]string{}, k.Scopes...), append([]int64{}, k.Projects...), append([]uuid.UUID{}, k.Organizations...)})
	})
}

// flagEntry are the keys of a flag with project_id in place of team_id.
var flagEntry = func() []key[*store.Flag] {
	keys := slices.Clone(flagKeys)
	keys[1] = newKey("project_id", keys[1].append)
	return keys
}()

func (d *dumper) flags(st *store.Store) {
	list(d, "feature_flags", st.Flags.Sorted(), func(b []byte, f *store.Flag) []byte {
		return appendObject(b, d.encoding, "FeatureFlag", flagEntry, f, f.Only(flagEntryKeys))
	})
	list(d, "actions", st.Actions.Sorted(), func(b []byte, a *store.Action) []byte {
		return encoded(b, struct {
			ID      int64           `json:"id"`
			Project int64           `json:"project_id"`
			Name    string          `json:"name"`
			Steps   json.RawMessage `json:"steps,omitempty"`
		}{a.ID, a.Project, a.Name, a.Steps})
	})
	d.lookups(st)
}

func (d *dumper) nouns(st *store.Store) {
	var surveys []*store.Survey
	for _, p := range st.Projects.Sorted() {
		surveys = append(surveys, st.SurveysOf(p.ID).Items...)
	}
	list(d, "surveys", surveys, func(b []byte, s *store.Survey) []byte {
		return append(b, d.encoding.survey(s)...)
	})

	list(d, "pipeline_import_apps", st.Apps.Sorted(), func(b []byte, a *store.App) []byte {
		return appendObject(b, d.encoding, "PipelineImportApp", appKeys, a, a.Extra)
	})

	if sources := st.Sources.Sorted(); len(sources) > 0 {
		list(d, "app_sources", sources, func(b []byte, s store.Source) []byte {
			return encoded(b, struct {
				URL         string          `json:"url"`
				Tag         string          `json:"tag"`
				Description json.RawMessage `json:"plugin_json"`
			}{s.URL, s.Tag, s.Description})
		})
	}
}

func (d *dumper) responses(st *store.Store) {
	list(d, "responses", st.Responses(), func(b []byte, r store.ResponseCount) []byte {
		entry := struct {
			Survey  uuid.UUID       `json:"survey_id"`
			Count   int64           `json:"count"`
			At      json.RawMessage `json:"at"`
			Project int64           `json:"project_id,omitempty"`
			// Archived is only there when it is true.
			Archived   bool   `json:"archived,omitempty"`
			Submission string `json:"submission_id,omitempty"`
		}{Survey: r.Survey, Count: r.Count, At: r.At, Archived: r.Archived, Submission: r.Submission}
		if st.Survey(r.Survey) == nil {
			entry.Project = r.Project
		}
		return encoded(b, entry)
	})
}
