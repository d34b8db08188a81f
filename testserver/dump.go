package testserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
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
	e := encoding{profile: p, store: st, asEntry: true}
	d := &dumper{bufio.NewWriterSize(to, 64<<10)}

	clock := json.RawMessage("null")
	if st.StoppedClock != nil {
		clock = wire.Quote(st.StoppedClock.Format(time.RFC3339Nano))
	}
	d.write(`{"clock":`, clock)
	if len(st.Removed) > 0 {
		d.write(",\n\"removed\":", st.Removed)
	}

	list(d, "organizations", st.OrganizationIDs(), func(id uuid.UUID) any { return organizationEntry(*st.Organization(id)) })
	list(d, "projects", st.Projects.Sorted(), func(p *store.Project) any { return entryOfProject(p) })
	list(d, "users", st.Users.Sorted(), func(u *store.User) any { return entryOfUser(e, u) })
	list(d, "api_keys", st.KeyTokens(), func(token string) any { return entryOfKey(st.Keys.Get(token)) })
	list(d, "feature_flags", st.Flags.Sorted(), func(f *store.Flag) any {
		return json.RawMessage(appendObject(nil, e, "FeatureFlag", flagEntry, f, f.Only(flagEntryKeys)))
	})
	list(d, "actions", st.Actions.Sorted(), func(a *store.Action) any { return actionEntry(*a) })
	list(d, "cohorts", st.Cohorts.Sorted(), func(c *store.Cohort) any { return entryOfCohort(c) })
	list(d, "insights", st.Insights.Sorted(), func(i *store.Insight) any { return insightEntry(*i) })

	var surveys []*store.Survey
	for _, p := range st.Projects.Sorted() {
		surveys = append(surveys, st.SurveysOf(p.ID).Items...)
	}
	list(d, "surveys", surveys, func(s *store.Survey) any { return e.survey(s) })
	list(d, "pipeline_import_apps", st.Apps.Sorted(), func(a *store.App) any { return e.app(a) })
	list(d, "app_sources", st.Sources.Sorted(), func(s store.Source) any { return sourceEntry(s) })

	list(d, "responses", st.Responses(), func(r store.ResponseCount) any { return entryOfResponse(st, r) })
	list(d, "persons", st.Persons(), func(p *store.Person) any { return entryOfPerson(p) })
	list(d, "events", st.Events(), func(e store.Event) any { return entryOfEvent(e) })
	d.write("}\n")
	if err := d.out.Flush(); err != nil {
		return fmt.Errorf("dump: %w", err)
	}
	return nil
}

// dumper writes line by line. Its buffer keeps the first error.
type dumper struct{ out *bufio.Writer }

// write writes a text and values as JSON.
func (d *dumper) write(text string, values ...any) {
	_, _ = d.out.WriteString(text)
	for _, value := range values {
		raw, isRaw := value.(json.RawMessage)
		if !isRaw {
			raw = wire.Encode(value)
		}
		_, _ = d.out.Write(raw)
	}
}

// optionalLists are those that a dump has only when there is something in them.
var optionalLists = []string{"cohorts", "insights", "app_sources", "persons", "events"}

// list writes a list of the document.
func list[T any](d *dumper, name string, items []T, entry func(T) any) {
	if len(items) == 0 && slices.Contains(optionalLists, name) {
		return
	}
	d.write(",\n", name)
	separator := ":[\n"
	for _, item := range items {
		d.write(separator, entry(item))
		separator = ",\n"
	}
	if len(items) == 0 {
		d.write(":[")
	}
	d.write("]")
}

// Entries of a dump that have the fields of what the store has.
type (
	organizationEntry struct {
		ID          uuid.UUID       `json:"id"`
		Name        string          `json:"name"`
		AccessLevel int64           `json:"plugins_access_level"`
		Features    json.RawMessage `json:"features"`
	}
	keyEntry struct {
		Token         string      `json:"key"`
		User          int64       `json:"user_id"`
		Scopes        []string    `json:"scopes"`
		Projects      []int64     `json:"project_ids"`
		Organizations []uuid.UUID `json:"organization_ids"`
	}
	actionEntry struct {
		ID      int64           `json:"id"`
		Project int64           `json:"project_id"`
		Name    string          `json:"name"`
		Steps   json.RawMessage `json:"steps,omitempty"`
	}
	insightEntry struct {
		ID      int64  `json:"id"`
		Project int64  `json:"project_id"`
		Name    string `json:"name"`
	}
	sourceEntry struct {
		URL         string          `json:"url"`
		Tag         string          `json:"tag"`
		Description json.RawMessage `json:"plugin_json"`
	}
)

func entryOfKey(k *store.Key) keyEntry {
	e := keyEntry(*k)
	e.Scopes, e.Projects, e.Organizations = append([]string{}, e.Scopes...), append([]int64{}, e.Projects...), append([]uuid.UUID{}, e.Organizations...)
	return e
}

func entryOfUser(e encoding, u *store.User) json.RawMessage {
	entry := wire.PairsOf(appendObject(nil, e, "User", userKeys, u, u.Only(userEntryKeys))).
		With("organization_ids", wire.Encode(append([]uuid.UUID{}, u.Organizations...)))
	if u.Projects != nil {
		entry = entry.With("project_ids", wire.Encode(u.Projects))
	}
	return entry.With("is_active", wire.Bool(u.Active)).JSON()
}

// flagEntry are the keys of a flag with project_id in place of team_id.
var flagEntry = func() []key[*store.Flag] {
	keys := slices.Clone(flagKeys)
	keys[1] = newKey("project_id", keys[1].append)
	return keys
}()

// responseEntry is the entry of responses.
type responseEntry struct {
	Survey  uuid.UUID       `json:"survey_id"`
	Count   int64           `json:"count"`
	At      json.RawMessage `json:"at"`
	Project int64           `json:"project_id,omitempty"`
	// Archived is only there when it is true.
	Archived   bool   `json:"archived,omitempty"`
	Submission string `json:"submission_id,omitempty"`
}

func entryOfResponse(st *store.Store, r store.ResponseCount) responseEntry {
	entry := responseEntry{Survey: r.Survey, Count: r.Count, At: r.At, Archived: r.Archived, Submission: r.Submission}
	if st.Survey(r.Survey) == nil {
		entry.Project = r.Project
	}
	return entry
}
