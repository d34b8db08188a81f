package testserver

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// controlPrefix is the path prefix of the control interface, which needs no key.
const controlPrefix = "/_testserver/"

// controlHandler serves a request of the control interface.
type controlHandler func(control, http.ResponseWriter, *http.Request)

// controlPaths are the paths of the control interface by method. Tests in other processes
// control the server with it.
var controlPaths = map[string]map[string]controlHandler{
	"fixtures": {
		http.MethodPut: limited(maxFixtures, handled(func(c control, r *http.Request) error { return c.server.SetFixtures(r.Body) })),
		http.MethodGet: control.getFixtures,
	},
	"reset": {http.MethodPost: handled(func(c control, _ *http.Request) error { c.server.Reset(); return nil })},
	"requests": {
		http.MethodGet:    control.getRequests,
		http.MethodDelete: handled(func(c control, _ *http.Request) error { c.server.ResetJournal(); return nil }),
	},
	"faults": {
		http.MethodGet:    control.getFaults,
		http.MethodPut:    limited(maxFaults, handled(control.putFaults)),
		http.MethodDelete: handled(func(c control, _ *http.Request) error { return c.server.SetFaults() }),
	},
	"health":       {http.MethodGet: control.getHealth},
	"openapi.yaml": {http.MethodGet: control.getDocument},
	"report":       {http.MethodGet: control.getReport},
	"clock":        {http.MethodPut: limited(maxClock, handled(control.putClock))},
	"removed": {
		http.MethodGet:    control.getRemoved,
		http.MethodPut:    limited(maxRemoved, handled(control.putRemoved)),
		http.MethodDelete: handled(func(c control, _ *http.Request) error { return c.server.SetRemoved() }),
	},
	"people": {http.MethodPost: limited(maxPerson, control.postPeople)},
	"events": {http.MethodGet: control.getEvents},

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
		writeFailure(w, field.NotFound("The control interface has "+strings.Join(names, ", ")+" and worlds."))
	case serve == nil:
		writeFailure(w, field.MethodNotAllowed(r.Method, strings.Join(slices.Sorted(maps.Keys(methods)), ", ")))
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

// handled serves a request without a result: with 204, or 400 and the error.
func handled(do func(control, *http.Request) error) controlHandler {
	return func(c control, w http.ResponseWriter, r *http.Request) {
		if err := do(c, r); err != nil {
			writeFailure(w, controlFailure(err))
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

func writeFailure(w http.ResponseWriter, f *field.Failure) {
	w.Header().Set("Content-Type", jsonContent[0])
	if f.Allow != "" {
		w.Header().Set("Allow", f.Allow)
	}
	w.WriteHeader(f.Status)
	// If this fails the client has gone, and there is no one to report it to.
	_, _ = io.Copy(w, bytes.NewReader(append(f.Body(), '\n')))
}

func (c control) getFixtures(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", jsonContent[0])
	if err := c.server.Dump(w); err != nil {
		// Part of the document is already sent: the client must not take it for the whole.
		panic(http.ErrAbortHandler)
	}
}

// getRequests responds with the journal, as an array of entries or an HTTP Archive.
func (c control) getRequests(w http.ResponseWriter, r *http.Request) {
	var err error
	switch format := r.URL.Query().Get("format"); format {
	case "", "json":
		w.Header().Set("Content-Type", jsonContent[0])
		err = writeLines(w, c.server.Journal())
	case "har":
		w.Header().Set("Content-Type", jsonContent[0])
		w.Header().Set("Content-Disposition", `attachment; filename="posthog-testserver.har"`)
		err = c.server.WriteHAR(w)
	default:
		writeFailure(w, field.BadRequest("invalid_input", fmt.Sprintf("requests: format is json or har, is %q", format)))
	}
	if err != nil {
		// Part of the document is already sent: the client must not take it for the whole.
		panic(http.ErrAbortHandler)
	}
}

// writeLines writes a JSON array, an item to a line.
func writeLines[T any](to io.Writer, items []T) error {
	out := bufio.NewWriter(to)
	_, _ = out.WriteString("[")
	for i, item := range items {
		if i > 0 {
			_, _ = out.WriteString(",\n")
		}
		_, _ = out.Write(rawjson.Encode(item))
	}
	_, _ = out.WriteString("]\n")
	return out.Flush()
}

func (c control) getFaults(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", jsonContent[0])
	if err := writeLines(w, c.server.Faults()); err != nil {
		panic(http.ErrAbortHandler)
	}
}

func (c control) putFaults(r *http.Request) error {
	document, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("faults: %w", err)
	}
	return c.server.replaceFaults(document)
}

// Reset restores the initial store. Journal and faults stay.
func (d *direct) Reset() {
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	d.contents.setStore(d.contents.initial.Clone())
}
