package control

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// controlPrefix is the path prefix of the control interface, which needs no key.
const controlPrefix = "/_testserver/"

// Maximum sizes of the documents that the control interface reads.
const (
	maxFixtures = 256 << 20
	maxFaults   = 4 << 20
	maxSetting  = 1 << 10
	maxPerson   = 1 << 20
)

// operationHandler serves a control request by calling an operation.
type operationHandler func(o Operations, w http.ResponseWriter, r *http.Request) error

// controlPaths maps the paths of the control interface to their handlers by method. Each handler
// calls an operation for tests in other processes.
var controlPaths = map[string]map[string]operationHandler{
	"fixtures": {
		http.MethodPut: done(maxFixtures, func(o Operations, r *http.Request) error { return o.SetFixtures(r.Body) }),
		http.MethodGet: getFixtures,
	},
	"reset": {http.MethodPost: done(0, func(o Operations, _ *http.Request) error { o.Reset(); return nil })},
	"requests": {
		http.MethodGet:    func(o Operations, w http.ResponseWriter, _ *http.Request) error { return writeLines(w, o.Journal()) },
		http.MethodDelete: done(0, func(o Operations, _ *http.Request) error { o.ResetJournal(); return nil }),
	},
	"faults": {
		http.MethodGet:    func(o Operations, w http.ResponseWriter, _ *http.Request) error { return writeLines(w, o.Faults()) },
		http.MethodPut:    done(maxFaults, putFaults),
		http.MethodDelete: done(0, func(o Operations, _ *http.Request) error { return o.ReplaceFaults([]byte(`{"rules":[]}`)) }),
	},
	"removed": {
		http.MethodGet: func(o Operations, w http.ResponseWriter, _ *http.Request) error {
			return writeValue(w, map[string][]string{"removed": append([]string{}, o.Removed()...)})
		},
		http.MethodPut:    done(maxSetting, putRemovals),
		http.MethodDelete: done(0, func(o Operations, _ *http.Request) error { return o.SetRemoved() }),
	},
	"clock":        {http.MethodPut: done(maxSetting, putClock)},
	"jobs":         {http.MethodPost: done(0, func(o Operations, _ *http.Request) error { o.RunJobs(); return nil })},
	"health":       {http.MethodGet: getHealth},
	"openapi.yaml": {http.MethodGet: getDocument},
	"report":       {http.MethodGet: getReport},
	"people":       {http.MethodPost: postPeople},
	"events": {http.MethodGet: func(o Operations, w http.ResponseWriter, r *http.Request) error {
		events, err := o.getEvents(r)
		if err != nil {
			return err
		}
		return writeLines(w, events)
	}},
	"surveys/{id}/people": {http.MethodGet: getSurveyPeople},
}

// serveControl serves a control request in the world that the request selects.
func (w *World) serveControl(writer http.ResponseWriter, r *http.Request) {
	name := strings.Trim(strings.TrimPrefix(r.URL.Path, controlPrefix), "/")
	if section, item, _ := strings.Cut(name, "/"); section == "worlds" {
		w.setDate(writer)
		w.serveWorlds(writer, r, item)
		return
	}

	name = controlPath(r, name)
	world, f := w.requestedWorld(r)
	if f != nil {
		writeFailure(writer, f)
		return
	}
	if name != "health" {
		// setDate reads the clock from the store, which can be locked for a long time.
		world.setDate(writer)
	}

	methods, isKnown := controlPaths[name]
	serve := methods[effectiveMethod(r)]
	switch {
	case !isKnown:
		names := slices.Sorted(maps.Keys(controlPaths))
		writeFailure(writer, wire.NotFound("The control interface has "+strings.Join(names, ", ")+" and worlds."))
		return
	case serve == nil:
		writeFailure(writer, wire.MethodNotAllowed(r.Method, strings.Join(slices.Sorted(maps.Keys(methods)), ", ")))
		return
	}
	if err := serve(world.Operations, writer, r); err != nil {
		writeFailure(writer, controlFailure(err))
	}
}

// controlPath returns the key of controlPaths for the path of a request. It replaces a survey ID with {id} and stores
// the ID in the path value id.
func controlPath(r *http.Request, name string) string {
	rest, isOfSurvey := strings.CutPrefix(name, "surveys/")
	id, collection, _ := strings.Cut(rest, "/")
	if !isOfSurvey || id == "" {
		return name
	}
	r.SetPathValue("id", id)
	return "surveys/{id}/" + collection
}

// effectiveMethod returns the method that selects the handler of a request. HEAD is served as GET. The
// HTTP server omits the body.
func effectiveMethod(r *http.Request) string {
	if r.Method == http.MethodHead {
		return http.MethodGet
	}
	return r.Method
}

// setDate sets the Date header from the clock of the world.
func (w *World) setDate(writer http.ResponseWriter) {
	writer.Header().Set("Date", w.Contents.Now().UTC().Format(http.TimeFormat))
}

// requestedWorld returns the world that the query parameter world of a control request selects.
// Without the parameter, it returns the server itself. A GET request for an unknown world fails.
// Other requests create the world if needed.
func (w *World) requestedWorld(r *http.Request) (*World, *wire.Failure) {
	if !r.URL.Query().Has("world") {
		return w, nil
	}
	name := r.URL.Query().Get("world")
	if effectiveMethod(r) == http.MethodGet && w.worlds != nil && CheckWorldName(name) == nil {
		// For a misspelled world name, an empty list of requests would mislead the test.
		world, ok := w.worlds.find(name, w.Clock())
		if !ok {
			return nil, wire.NotFound(fmt.Sprintf("There is no world %q: the first request with the key %s, or the first change to it, creates it.",
				name, worldKeyPrefix+name))
		}
		return world, nil
	}

	world, err := w.Open(name)
	if err != nil {
		return nil, wire.BadRequest("invalid_input", err.Error())
	}
	return world, nil
}

// serveWorlds lists the worlds, creates the world in the path (PUT), or drops that world or all of
// them.
func (w *World) serveWorlds(writer http.ResponseWriter, r *http.Request, name string) {
	if r.Method == http.MethodPut {
		if _, err := w.Open(name); err != nil {
			writeFailure(writer, wire.BadRequest("invalid_input", err.Error()))
			return
		}
		writer.WriteHeader(http.StatusNoContent)
		return
	}
	worlds := w.Worlds()
	if name != "" {
		worlds = slices.DeleteFunc(worlds, func(candidate WorldInfo) bool { return candidate.Name != name })
		if len(worlds) == 0 {
			writeFailure(writer, wire.NotFound("There is no world with this name."))
			return
		}
	}

	switch method := effectiveMethod(r); {
	case method == http.MethodDelete:
		for _, world := range worlds {
			w.DropWorld(world.Name)
		}
		writer.WriteHeader(http.StatusNoContent)
	case method != http.MethodGet:
		writeFailure(writer, wire.MethodNotAllowed(r.Method, "DELETE, GET, PUT"))
	case name != "":
		_ = writeValue(writer, worlds[0])
	default:
		_ = writeLines(writer, worlds)
	}
}

// done returns a handler for an operation without a result. The handler responds with status 204, or with status 400
// and the error. The body may have up to limit bytes. limit is 0 for operations that read no body.
func done(limit int64, do func(Operations, *http.Request) error) operationHandler {
	return func(o Operations, w http.ResponseWriter, r *http.Request) error {
		if err := bound(w, r, limit); err != nil {
			return err
		}
		if err := do(o, r); err != nil {
			return err
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}

// bound limits the size of the request body.
func bound(w http.ResponseWriter, r *http.Request, limit int64) error {
	if limit > 0 && r.ContentLength > limit {
		return &http.MaxBytesError{Limit: limit}
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	return nil
}

// controlFailure returns the failure for an error of the control interface.
func controlFailure(err error) *wire.Failure {
	if missing, ok := errors.AsType[notFoundError](err); ok {
		return wire.NotFound(missing.Error())
	}
	f := wire.BadRequest("invalid_input", err.Error())
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		f.Status, f.Code = http.StatusRequestEntityTooLarge, "request_entity_too_large"
		f.Detail = fmt.Sprintf("The document is larger than %d bytes.", tooLarge.Limit)
	}
	return f
}

// notFoundError is an error about an object that does not exist.
type notFoundError struct{ error }

func writeFailure(w http.ResponseWriter, f *wire.Failure) {
	w.Header().Set("Content-Type", wire.JSONContent)
	if f.Allow != "" {
		w.Header().Set("Allow", f.Allow)
	}
	w.WriteHeader(f.Status)
	// Write fails only if the client has disconnected, so no one can receive the error.
	_, _ = io.Copy(w, strings.NewReader(f.Body().Spelling()+"\n"))
}

// writeValue responds with the value as JSON.
func writeValue(w http.ResponseWriter, value any) error {
	w.Header().Set("Content-Type", wire.JSONContent)
	_, _ = w.Write(append(shownJSON(value), '\n'))
	return nil
}

// writeLines responds with a JSON array, one item per line.
func writeLines[T any](w http.ResponseWriter, items []T) error {
	w.Header().Set("Content-Type", wire.JSONContent)
	buffer := bufio.NewWriter(w)
	_, _ = buffer.WriteString("[")
	for i, item := range items {
		if i > 0 {
			_, _ = buffer.WriteString(",\n")
		}
		_, _ = buffer.Write(shownJSON(item))
	}
	_, _ = buffer.WriteString("]\n")
	if err := buffer.Flush(); err != nil {
		// The client has received part of the document. Aborting the connection shows that it is incomplete.
		panic(http.ErrAbortHandler)
	}
	return nil
}

// shownJSON returns the JSON of a value, safe to print in a terminal. Any website can put text into a store, so
// escape.JSON neutralizes control sequences.
func shownJSON(value any) []byte { return escape.JSON(wire.Of(value).JSON()) }

// readSetting reads the body of a request, which must be an object with one key.
func readSetting(r *http.Request, name, example string) (*wire.Entry, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	value, err := wire.Decode(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: the body must be JSON, such as %s", name, example)
	}
	o := wire.ReadEntry("", value, []string{name})
	o.Require(name)
	return o, nil
}

func putClock(o Operations, r *http.Request) error {
	setting, err := readSetting(r, "clock", `{"clock": "2026-01-31T12:00:00Z"}`)
	if err != nil {
		return err
	}
	stopped := fixtures.ReadClock(setting)
	if setting.Err != nil {
		return fmt.Errorf("clock: %w", setting.Err)
	}
	o.world.StopClock(stopped)
	return nil
}

func putRemovals(o Operations, r *http.Request) error {
	setting, err := readSetting(r, "removed", `{"removed": ["`+fixtures.RemovedImportApps+`"]}`)
	if err != nil {
		return err
	}
	names := fixtures.ReadRemovals(setting)
	if setting.Err != nil {
		return fmt.Errorf("removed: %w", setting.Err)
	}
	return o.SetRemoved(names...)
}

func putFaults(o Operations, r *http.Request) error {
	document, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("faults: %w", err)
	}
	return o.ReplaceFaults(document)
}

func getFixtures(o Operations, w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", wire.JSONContent)
	if err := o.Dump(w); err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

// postPeople adds a person and responds with it. If one of its distinct IDs is known, it merges the
// persons.
func postPeople(o Operations, w http.ResponseWriter, r *http.Request) error {
	if err := bound(w, r, maxPerson); err != nil {
		return fmt.Errorf("people: %w", err)
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = wire.CheckLimits(body)
	}
	if err != nil {
		return fmt.Errorf("people: %w", err)
	}
	raw, err := wire.Decode(body)
	if err != nil || !raw.IsObject() {
		return errors.New(`people: the body must be JSON, such as {"project_id": 1, "distinct_ids": ["ann"], "properties": {}}`)
	}
	object := decodeObject(raw)
	if object["project_id"] == nil {
		delete(object, "project_id")
	}
	person, err := o.Person(object)
	if err != nil {
		return fmt.Errorf("people: %w", err)
	}
	return writeValue(w, person)
}

// getHealth responds that the server is up. It takes no lock, so it also responds while the server
// loads a large document.
func getHealth(o Operations, w http.ResponseWriter, _ *http.Request) error {
	return writeValue(w, struct {
		Status   string `json:"status"`
		Profile  string `json:"profile"`
		Worlds   int    `json:"worlds"`
		Requests int64  `json:"requests"`
	}{"ok", o.world.Profile.Name, len(o.Worlds()), o.world.requests.Load()})
}

// getReport responds with the report as text or JSON.
func getReport(o Operations, w http.ResponseWriter, r *http.Request) error {
	switch format := r.URL.Query().Get("format"); format {
	case "", "text":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		// Write fails only if the client has disconnected, so no one can receive the error.
		_, _ = io.WriteString(w, o.Report().String())
		return nil
	case "json":
		return writeValue(w, o.Report())
	default:
		return fmt.Errorf("report: unknown format %q. Use text or json", format)
	}
}

// getSurveyPeople responds with the persons of the survey's project and whether each is offered the
// survey. If the request lists distinct IDs, it responds only with the persons with these IDs.
func getSurveyPeople(o Operations, w http.ResponseWriter, r *http.Request) error {
	people, err := o.SurveyPeople(r.PathValue("id"), r.URL.Query()["distinct_id"]...)
	if err != nil {
		return notFoundError{fmt.Errorf("surveys: %w", err)}
	}
	return writeLines(w, people)
}

// schemaPath is the path of PostHog's OpenAPI document.
const schemaPath = "/api/schema/"

// getDocument responds with the OpenAPI document of the interface, as YAML.
func getDocument(_ Operations, w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/vnd.oai.openapi")
	_, _ = w.Write(api.Document())
	return nil
}

// serveSchema serves the OpenAPI document at PostHog's path. As in PostHog, this requires no key.
func (w *World) serveSchema(writer http.ResponseWriter, r *http.Request) {
	w.setDate(writer)
	if effectiveMethod(r) != http.MethodGet {
		writeFailure(writer, wire.MethodNotAllowed(r.Method, "GET, HEAD"))
		return
	}
	_ = getDocument(w.Operations, writer, r)
}
