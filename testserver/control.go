package testserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// controlPrefix is the path prefix of the control interface, which needs no key.
const controlPrefix = "/_testserver/"

// The maximum sizes of documents of the control interface.
const (
	maxFixtures = 256 << 20
	maxFaults   = 4 << 20
	maxSetting  = 1 << 10
	maxPerson   = 1 << 20
)

// controlHandler serves a request of the control interface.
type controlHandler func(control, http.ResponseWriter, *http.Request)

// controlPaths are the paths of the control interface by method. Each is a method of the server,
// which tests in other processes call so.
var controlPaths = map[string]map[string]controlHandler{
	"fixtures": {
		http.MethodPut: done(maxFixtures, func(s *Server, r *http.Request) error { return s.SetFixtures(r.Body) }),
		http.MethodGet: control.getFixtures,
	},
	"reset": {http.MethodPost: done(0, func(s *Server, _ *http.Request) error { s.Reset(); return nil })},
	"requests": {
		http.MethodGet:    listed(func(s *Server, _ *http.Request) ([]Request, error) { return s.Journal(), nil }),
		http.MethodDelete: done(0, func(s *Server, _ *http.Request) error { s.ResetJournal(); return nil }),
	},
	"faults": {
		http.MethodGet:    listed(func(s *Server, _ *http.Request) ([]FaultState, error) { return s.Faults(), nil }),
		http.MethodPut:    done(maxFaults, putFaults),
		http.MethodDelete: done(0, func(s *Server, _ *http.Request) error { return s.SetFaults() }),
	},
	"removed": {
		http.MethodGet: control.getRemoved,
		http.MethodPut: done(maxSetting, func(s *Server, r *http.Request) error {
			var names []string
			err := readSetting(r, "removed", `{"removed": ["`+RemovedImportApps+`"]}`, func(o *wire.Entry) { names = readRemoved(o) })
			if err != nil {
				return err
			}
			return s.SetRemoved(names...)
		}),
		http.MethodDelete: done(0, func(s *Server, _ *http.Request) error { return s.SetRemoved() }),
	},
	"clock": {http.MethodPut: done(maxSetting, func(s *Server, r *http.Request) error {
		return readSetting(r, "clock", `{"clock": "2026-01-31T12:00:00Z"}`, func(o *wire.Entry) {
			if stopped := readClock(o); o.Err == nil {
				s.contents.setClock(stopped)
			}
		})
	})},
	"health":       {http.MethodGet: control.getHealth},
	"openapi.yaml": {http.MethodGet: control.getDocument},
	"report":       {http.MethodGet: control.getReport},
	"people":       {http.MethodPost: limited(maxPerson, control.postPeople)},
	"events":       {http.MethodGet: listed(getEvents)},

	"surveys/{id}/people": {http.MethodGet: control.getSurveyPeople},
}

// control serves the control interface.
type control struct{ server *Server }

// route serves a request of the control interface, in the world that it names.
func (c control) route(w http.ResponseWriter, r *http.Request) {
	name := strings.Trim(strings.TrimPrefix(r.URL.Path, controlPrefix), "/")
	if section, item, _ := strings.Cut(name, "/"); section == "worlds" {
		c.setDate(w)
		c.serveWorlds(w, r, item)
		return
	}

	name = controlPath(r, name)
	world, f := c.world(r)
	if f != nil {
		writeFailure(w, f)
		return
	}
	if name != "health" {
		// The clock is in the store, which may be locked for a long time.
		control{world}.setDate(w)
	}

	methods, known := controlPaths[name]
	switch serve := methods[methodOf(r)]; {
	case !known:
		names := slices.Sorted(maps.Keys(controlPaths))
		writeFailure(w, wire.NotFound("The control interface has "+strings.Join(names, ", ")+" and worlds."))
	case serve == nil:
		writeFailure(w, wire.MethodNotAllowed(r.Method, strings.Join(slices.Sorted(maps.Keys(methods)), ", ")))
	default:
		serve(control{world}, w, r)
	}
}

// controlPath is the path of the control interface that a request has, with the id of a survey
// taken out of it.
func controlPath(r *http.Request, name string) string {
	rest, isOfSurvey := strings.CutPrefix(name, "surveys/")
	id, of, _ := strings.Cut(rest, "/")
	if !isOfSurvey || id == "" {
		return name
	}
	r.SetPathValue("id", id)
	return "surveys/{id}/" + of
}

// methodOf is the method by which a request of the control interface is served: HEAD is GET,
// of whose response the client gets the header alone.
func methodOf(r *http.Request) string {
	if r.Method == http.MethodHead {
		return http.MethodGet
	}
	return r.Method
}

// setDate sets the Date header from the clock of the world.
func (c control) setDate(w http.ResponseWriter) {
	w.Header().Set("Date", c.server.contents.now().UTC().Format(http.TimeFormat))
}

// world is the world that the parameter world of a control request names, else the server
// itself. A request that changes something creates the world if needed, one that reads does
// not.
func (c control) world(r *http.Request) (*Server, *wire.Failure) {
	if !r.URL.Query().Has("world") {
		return c.server, nil
	}
	name := r.URL.Query().Get("world")
	if methodOf(r) == http.MethodGet && c.server.worlds != nil && checkWorldName(name) == nil {
		// A test that asks a misspelt world for its requests must not read that there are none.
		found, ok := c.server.worlds.find(name, c.server.clock())
		if !ok {
			return nil, wire.NotFound(fmt.Sprintf("There is no world %q: the first request with the key %s creates it, or the first change here.",
				name, worldKeyPrefix+name))
		}
		return found, nil
	}

	found, err := c.server.World(name)
	if err != nil {
		return nil, wire.BadRequest("invalid_input", err.Error())
	}
	return found, nil
}

// serveWorlds lists and drops worlds: all of them, or the one in the path.
func (c control) serveWorlds(w http.ResponseWriter, r *http.Request, name string) {
	worlds := c.server.Worlds()
	if name != "" {
		worlds = slices.DeleteFunc(worlds, func(other World) bool { return other.Name != name })
		if len(worlds) == 0 {
			writeFailure(w, wire.NotFound("There is no world of this name."))
			return
		}
	}

	switch method := methodOf(r); {
	case method == http.MethodDelete:
		for _, world := range worlds {
			c.server.DropWorld(world.Name)
		}
		w.WriteHeader(http.StatusNoContent)
	case method != http.MethodGet:
		writeFailure(w, wire.MethodNotAllowed(r.Method, "DELETE, GET"))
	case name != "":
		writeValue(w, worlds[0])
	default:
		writeLines(w, worlds)
	}
}

// done serves a request without a result, whose body is not larger than a limit: with 204, or 400
// and the error.
func done(limit int64, do func(*Server, *http.Request) error) controlHandler {
	return limited(limit, func(c control, w http.ResponseWriter, r *http.Request) {
		if err := do(c.server, r); err != nil {
			writeFailure(w, controlFailure(err))
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

// listed serves a request with a list, or with the failure that says why there is none.
func listed[T any](list func(*Server, *http.Request) ([]T, error)) controlHandler {
	return func(c control, w http.ResponseWriter, r *http.Request) {
		items, err := list(c.server, r)
		if err != nil {
			writeFailure(w, controlFailure(err))
			return
		}
		writeLines(w, items)
	}
}

// limited serves a request whose body is not larger than a limit; 0 is that of a body which nothing
// reads.
func limited(limit int64, serve controlHandler) controlHandler {
	return func(c control, w http.ResponseWriter, r *http.Request) {
		if limit > 0 && r.ContentLength > limit {
			writeFailure(w, controlFailure(&http.MaxBytesError{Limit: limit}))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		serve(c, w, r)
	}
}

// controlFailure is the failure for an error of the control interface.
func controlFailure(err error) *wire.Failure {
	f := wire.BadRequest("invalid_input", err.Error())
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		f.Status, f.Code = http.StatusRequestEntityTooLarge, "request_entity_too_large"
		f.Detail = fmt.Sprintf("The document is larger than %d bytes.", tooLarge.Limit)
	}
	return f
}

func writeFailure(w http.ResponseWriter, f *wire.Failure) {
	w.Header().Set("Content-Type", jsonContent[0])
	if f.Allow != "" {
		w.Header().Set("Allow", f.Allow)
	}
	w.WriteHeader(f.Status)
	// If this fails the client has gone, and there is no one to report it to.
	_, _ = io.Copy(w, bytes.NewReader(append(f.Body(), '\n')))
}

// writeValue responds with a value as JSON.
func writeValue(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", jsonContent[0])
	_, _ = w.Write(append(shownJSON(value), '\n'))
}

// writeLines responds with a JSON array, an item to a line.
func writeLines[T any](w http.ResponseWriter, items []T) {
	w.Header().Set("Content-Type", jsonContent[0])
	out := bufio.NewWriter(w)
	_, _ = out.WriteString("[")
	for i, item := range items {
		if i > 0 {
			_, _ = out.WriteString(",\n")
		}
		_, _ = out.Write(shownJSON(item))
	}
	_, _ = out.WriteString("]\n")
	if err := out.Flush(); err != nil {
		// Part of the document is already sent: the client must not take it for the whole.
		panic(http.ErrAbortHandler)
	}
}

// shownJSON is the JSON of a value as people may read it in a terminal: what any web site can put
// into a store commands none.
func shownJSON(value any) []byte { return escape.JSON(wire.Encode(value)) }

// readSetting reads the body of a request, an object with one key.
func readSetting(r *http.Request, name, example string, read func(*wire.Entry)) error {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !json.Valid(raw) {
		return fmt.Errorf("%s: the body must be %s, it is not JSON", name, example)
	}
	o := wire.ReadEntry("", wire.MustCompact(raw), []string{name})
	o.Require(name)
	read(o)
	if o.Err != nil {
		return fmt.Errorf("%s: %w", name, o.Err)
	}
	return nil
}

func (c control) getFixtures(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", jsonContent[0])
	if err := c.server.Dump(w); err != nil {
		panic(http.ErrAbortHandler)
	}
}

func putFaults(s *Server, r *http.Request) error {
	document, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("faults: %w", err)
	}
	return s.replaceFaults(document)
}

// getRemoved responds with what is removed.
func (c control) getRemoved(w http.ResponseWriter, _ *http.Request) {
	writeValue(w, map[string][]string{"removed": append([]string{}, c.server.Removed()...)})
}

// getHealth responds that the server is up. It takes no lock, so that it also responds while
// the server loads a large document.
func (c control) getHealth(w http.ResponseWriter, _ *http.Request) {
	writeValue(w, struct {
		Status   string  `json:"status"`
		Profile  Profile `json:"profile"`
		Worlds   int     `json:"worlds"`
		Requests int64   `json:"requests"`
	}{"ok", c.server.profile.name, len(c.server.Worlds()), c.server.requests.Load()})
}

// getReport responds with the report as text or JSON.
func (c control) getReport(w http.ResponseWriter, r *http.Request) {
	switch format := r.URL.Query().Get("format"); format {
	case "", "text":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		// If this fails the client has gone, and there is no one to report it to.
		_, _ = io.WriteString(w, c.server.Report().String())
	case "json":
		writeValue(w, c.server.Report())
	default:
		writeFailure(w, wire.BadRequest("invalid_input", fmt.Sprintf("report: format is text or json, is %q", format)))
	}
}

// schemaPath is the path of the hosted service's OpenAPI document.
const schemaPath = "/api/schema/"

// getDocument responds with the OpenAPI document of the interface, as YAML.
func (c control) getDocument(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/vnd.oai.openapi")
	_, _ = w.Write(api.Document())
}

// serveSchema serves the document at the path of the hosted service's own, and like it without a key.
func (c control) serveSchema(w http.ResponseWriter, r *http.Request) {
	c.setDate(w)
	if methodOf(r) != http.MethodGet {
		writeFailure(w, wire.MethodNotAllowed(r.Method, "GET, HEAD"))
		return
	}
	c.getDocument(w, r)
}
