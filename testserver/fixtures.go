package testserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// fixtureLists are the lists of the fixtures document with the readers of their items, in the order
// of a dump.
var fixtureLists = []struct {
	name string
	read func(l *loader, path string, raw json.RawMessage) error
}{
	{"organizations", (*loader).organization}, {"projects", (*loader).project}, {"users", (*loader).user}, {"api_keys", (*loader).apiKey},
	{"feature_flags", (*loader).flag}, {"actions", (*loader).action}, {"cohorts", (*loader).cohort}, {"insights", (*loader).insight},
	{"surveys", (*loader).survey}, {"pipeline_import_apps", (*loader).app}, {"app_sources", (*loader).appSource},
	{"responses", (*loader).response}, {"persons", (*loader).person}, {"events", (*loader).event},
}

// loader builds a store from a fixtures document. The lists may come in any order,
// so references are resolved at the end.
type loader struct {
	profile *profile
	store   *store.Store
	now     time.Time
	ids     func() uuid.UUID
	// editing is set for changes to a live store: a nested flag of a survey then edits the
	// stored one, whereas two entries of a document must not differ.
	editing bool
	// present are the keys that the document has.
	present map[string]bool

	surveys []draftSurvey
	apps    map[uuid.UUID][]*store.App
	// read is the number of events that were read.
	read int
	// checks look up references once everything is read, then keyChecks those of API keys, and last
	// what belongs to surveys.
	checks, keyChecks, last []func() error
	// author is the default author.
	author int64
}

// readFixtures reads a document as a stream: 100,000 surveys are never in memory twice. An
// invalid document gives an error and no store.
func readFixtures(s *settings, from io.Reader) (*store.Store, error) {
	l := &loader{profile: s.profile, store: store.New(), ids: s.ids, present: map[string]bool{}, apps: map[uuid.UUID][]*store.App{}}
	dec := json.NewDecoder(wholeReads{from})
	if err := l.document(dec); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("there is something after the end of the document, at byte %d", dec.InputOffset())
	}
	l.now = timeOf(l.store, s.clock)
	if err := l.resolveReferences(); err != nil {
		return nil, err
	}
	return l.store, nil
}

// wholeReads fills the buffer at each read. The decoder goes over blanks anew at each read, which
// takes minutes for a document with many that comes in small pieces.
type wholeReads struct{ io.Reader }

// Read implements [io.Reader].
func (f wholeReads) Read(p []byte) (int, error) {
	n, err := io.ReadFull(f.Reader, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

func (l *loader) document(dec *json.Decoder) error {
	open, err := dec.Token()
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the document is empty; an empty object is the least")
	case err != nil:
		return invalidJSON(dec, "the document", err)
	case open != json.Delim('{'):
		return errors.New("the document must be an object")
	}

	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return invalidJSON(dec, "the document", err)
		}

		name, ok := token.(string)
		if !ok {
			return invalidJSON(dec, "the document", errors.New("a key is no string"))
		}
		if l.present[name] {
			return fmt.Errorf("%s: is there twice", name)
		}

		l.present[name] = true
		if err := l.section(dec, name); err != nil {
			return err
		}
	}

	if _, err := dec.Token(); err != nil {
		return invalidJSON(dec, "the document", err)
	}
	return nil
}

// section reads a key of the document.
func (l *loader) section(dec *json.Decoder, name string) error {
	known := []string{"clock", "removed"}
	if slices.Contains(known, name) {
		return l.setting(dec, name)
	}
	var read func(l *loader, path string, raw json.RawMessage) error
	for _, list := range fixtureLists {
		if known = append(known, list.name); list.name == name {
			read = list.read
		}
	}
	if read == nil {
		return fmt.Errorf("%s: %s", name, wire.UnknownKey(name, known))
	}

	open, err := dec.Token()
	if err != nil {
		return invalidJSON(dec, name, err)
	}
	if open != json.Delim('[') {
		return fmt.Errorf("%s: must be an array", name)
	}

	var raw json.RawMessage
	for i := 0; dec.More(); i++ {
		path := fmt.Sprintf("%s[%d]", name, i)
		raw = raw[:0]
		if err := dec.Decode(&raw); err != nil {
			return invalidJSON(dec, path, err)
		}

		if !utf8.Valid(raw) {
			return fmt.Errorf("%s: is not UTF-8", path)
		}
		if err := checkLimits(raw); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := read(l, path, wire.MustCompact(raw)); err != nil {
			return err
		}
	}

	if _, err := dec.Token(); err != nil {
		return invalidJSON(dec, name, err)
	}
	return nil
}

// setting reads a key of the document that is no list of objects.
func (l *loader) setting(dec *json.Decoder, name string) error {
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return invalidJSON(dec, name, err)
	}

	o := &wire.Entry{Fields: wire.RawFields{name: wire.MustCompact(raw)}}
	if name == "clock" {
		l.store.StoppedClock = readClock(o)
	} else {
		l.store.Removed = readRemoved(o)
	}
	return o.Err
}

// of notes that an item of a list belongs to a project, and refuses it when another one has its id.
func (l *loader) of(project int64, o *wire.Entry, isTaken bool, noun string) error {
	if isTaken {
		o.Fail("id", "another %s has it too", noun)
	}
	path := o.Path + ".project_id"
	l.later(func() error { return l.knownProject(path, project) })
	return o.Err
}

func invalidJSON(dec *json.Decoder, path string, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: the document breaks off at byte %d", path, dec.InputOffset())
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("%s: not valid JSON at byte %d: %s", path, syntax.Offset, strings.TrimPrefix(err.Error(), "json: "))
	}
	return fmt.Errorf("%s: %w", path, err)
}

// resolveReferences fills in the defaults and looks up every reference.
func (l *loader) resolveReferences() error {
	l.defaultOrganization()
	l.defaultProject()
	l.defaultToken()
	for _, d := range l.surveys {
		if err := l.addNested(d); err != nil {
			return err
		}
	}

	// Nested objects of surveys come first, since the defaults must not take their ids.
	l.defaultUser()
	l.defaultFlag()
	if err := inTurn(l.checks); err != nil {
		return err
	}

	l.author = l.store.FirstMember()
	l.defaultKey()
	for organization, apps := range l.apps {
		l.store.ListApps(organization, apps)
	}
	for _, steps := range [][]func() error{l.keyChecks, {l.resolveSurveys}, l.last, {l.resolveEvents}} {
		if err := inTurn(steps); err != nil {
			return err
		}
	}
	return nil
}

// inTurn takes steps until one fails.
func inTurn(steps []func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// SetFixtures replaces the store by that of a fixtures document. An invalid document gives
// an error with the path, and leaves the store as it is. Journal and faults stay.
func (d *direct) SetFixtures(document io.Reader) error {
	// The document may come from a client that is slow, or has stalled.
	loaded, err := readFixtures(d.contents.settings, document)
	if err != nil {
		return fmt.Errorf("fixtures: %w", err)
	}

	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	d.contents.setStore(loaded)
	return nil
}
