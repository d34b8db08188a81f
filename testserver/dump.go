package testserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Dump writes the store as a fixtures document, one entry a line. Loading it and dumping
// again gives the same document.
func (s *Server) Dump(to io.Writer) error {
	s.mu.RLock()
	st := s.store.clone()
	s.mu.RUnlock()

	d := &dumper{out: bufio.NewWriterSize(to, 64<<10), answering: answering{profile: s.profile, store: st, asEntry: true}}

	d.line = append(d.line, `{"clock":`...)
	if st.stoppedClock == nil {
		d.line = append(d.line, "null"...)
	} else {
		d.line = append(d.line, rawjson.Quote(st.stoppedClock.Format(time.RFC3339Nano))...)
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
	out       *bufio.Writer
	line      []byte
	answering answering
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

func (d *dumper) people(st *store) {
	list(d, "organizations", st.order.organizations, func(b []byte, id uuid.UUID) []byte {
		o := st.organizations[id]
		return encoded(b, struct {
			ID       uuid.UUID       `json:"id"`
			Name     string          `json:"name"`
			Level    int64           `json:"plugins_access_level"`
			Features json.RawMessage `json:"features"`
		}{o.id, o.name, o.accessLevel, o.features})
	})

	list(d, "projects", sortedIDs(st.projects), func(b []byte, id int64) []byte {
		return encoded(b, st.projects[id].entry())
	})

	list(d, "users", sortedIDs(st.users), func(b []byte, id int64) []byte {
		u := st.users[id]
		b = appendObject(b, d.answering, "User", userKeys, u, u.only(userEntryKeys))
		b = append(b[:len(b)-1], `,"organization_ids":`...)
		b = encoded(b, append([]uuid.UUID{}, u.organizations...))
		if u.projects != nil {
			b = encoded(append(b, `,"project_ids":`...), u.projects)
		}
		b = append(b, `,"is_active":`...)
		return append(strconv.AppendBool(b, u.active), '}')
	})

	list(d, "api_keys", st.order.keys, func(b []byte, key string) []byte {
		k := st.keys[key]
		return encoded(b, struct {
			Key           string      `json:"key"`
			User          int64       `json:"user_id"`
			Scopes        []string    `json:"scopes"`
			Projects      []int64     `json:"project_ids"`
			Organizations []uuid.UUID `json:"organization_ids"`
		}{k.key, k.user, append([]string{}, k.scopes...), append([]int64{}, k.projects...), append([]uuid.UUID{}, k.organizations...)})
	})
}

// flagEntry are the keys of a flag with project_id in place of team_id.
var flagEntry = func() []key[*featureFlag] {
	keys := slices.Clone(flagKeys)
	keys[1] = newKey("project_id", keys[1].append)
	return keys
}()

func (d *dumper) flags(st *store) {
	list(d, "feature_flags", sortedIDs(st.flags), func(b []byte, id int64) []byte {
		f := st.flags[id]
		return appendObject(b, d.answering, "FeatureFlag", flagEntry, f, f.only(flagEntryKeys))
	})
	list(d, "actions", sortedIDs(st.actions), func(b []byte, id int64) []byte {
		a := st.actions[id]
		return encoded(b, struct {
			ID      int64  `json:"id"`
			Project int64  `json:"project_id"`
			Name    string `json:"name"`
		}{a.id, a.project, a.name})
	})
	d.lookups(st)
}

// surveyEntry are the keys of a survey in a fixtures document: its project and all stored
// values.
var surveyEntry = func() []key[*survey] {
	keys := []key[*survey]{newKey("project_id", func(b []byte, _ answering, s *survey) []byte {
		return strconv.AppendInt(b, s.project, 10)
	})}
	for _, name := range surveyKeyOrder {
		switch name {
		case "targeting_flag_filters", "remove_targeting_flag":
		case "targeting_flag_id":
			keys = append(keys, newKey(name, func(b []byte, a answering, s *survey) []byte {
				return appendFlagID(b, a, s.targeting)
			}))
		default:
			keys = append(keys, surveyKeys[name])
		}
	}
	return keys
}()

func (d *dumper) nouns(st *store) {
	var surveys []*survey
	for _, id := range sortedIDs(st.surveysByProject) {
		surveys = append(surveys, st.surveysByProject[id].items...)
	}
	list(d, "surveys", surveys, func(b []byte, s *survey) []byte {
		return appendObject(b, d.answering, "Survey", surveyEntry, s, s.extra)
	})

	var apps []*app
	for _, id := range sortedIDs(st.apps) {
		apps = append(apps, st.apps[id])
	}
	list(d, "pipeline_import_apps", apps, func(b []byte, a *app) []byte {
		return appendObject(b, d.answering, "PipelineImportApp", appKeys, a, a.extra)
	})

	if len(st.sources) > 0 {
		list(d, "app_sources", slices.Sorted(maps.Keys(st.sources)), func(b []byte, url string) []byte {
			s := st.sources[url]
			return encoded(b, struct {
				URL         string          `json:"url"`
				Tag         string          `json:"tag"`
				Description json.RawMessage `json:"plugin_json"`
			}{s.url, s.tag, s.description})
		})
	}
}

func (d *dumper) responses(st *store) {
	list(d, "responses", st.responses, func(b []byte, r response) []byte {
		entry := struct {
			Survey  uuid.UUID       `json:"survey_id"`
			Count   int64           `json:"count"`
			At      json.RawMessage `json:"at"`
			Project int64           `json:"project_id,omitempty"`
			// Archived is only there when it is true.
			Archived   bool   `json:"archived,omitempty"`
			Submission string `json:"submission_id,omitempty"`
		}{Survey: r.survey, Count: r.count, At: r.at, Archived: r.archived, Submission: r.submission}
		if st.surveys[r.survey] == nil {
			entry.Project = r.project
		}
		return encoded(b, entry)
	})
}
