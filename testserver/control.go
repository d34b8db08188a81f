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
type controlHandler func(*Server, http.ResponseWriter, *http.Request)

// controlPaths are the paths of the control interface by method. Tests in other processes
// control the server with it.
var controlPaths = map[string]map[string]controlHandler{
	"fixtures": {
		http.MethodPut: limited(maxFixtures, handled(func(s *Server, r *http.Request) error { return s.SetFixtures(r.Body) })),
		http.MethodGet: (*Server).getFixtures,
	},
	"reset": {http.MethodPost: handled(func(s *Server, _ *http.Request) error { s.Reset(); return nil })},
	"requests": {
		http.MethodGet:    (*Server).getRequests,
		http.MethodDelete: handled(func(s *Server, _ *http.Request) error { s.ResetJournal(); return nil }),
	},
	"faults": {
		http.MethodGet:    (*Server).getFaults,
		http.MethodPut:    limited(maxFaults, handled((*Server).putFaults)),
		http.MethodDelete: handled(func(s *Server, _ *http.Request) error { return s.SetFaults() }),
	},
	"health":       {http.MethodGet: (*Server).getHealth},
	"openapi.yaml": {http.MethodGet: (*Server).getDocument},
	"report":       {http.MethodGet: (*Server).getReport},
	"clock":        {http.MethodPut: limited(maxClock, handled((*Server).putClock))},
}

// routeControl serves a request of the control interface, in the world that it names.
func (s *Server) routeControl(w http.ResponseWriter, r *http.Request) {
	name := strings.Trim(strings.TrimPrefix(r.URL.Path, controlPrefix), "/")
	if section, item, _ := strings.Cut(name, "/"); section == "worlds" {
		s.setDate(w)
		s.serveWorlds(w, r, item)
		return
	}

	world, f := s.controlWorld(r)
	if f != nil {
		writeFailure(w, f)
		return
	}
	if name != "health" {
		// The clock is in the store, which may be locked for a long time.
		world.setDate(w)
	}

	methods, known := controlPaths[name]
	switch serve := methods[methodOf(r)]; {
	case !known:
		names := slices.Sorted(maps.Keys(controlPaths))
		writeFailure(w, field.NotFound("The control interface has "+strings.Join(names, ", ")+" and worlds."))
	case serve == nil:
		writeFailure(w, field.MethodNotAllowed(r.Method, strings.Join(slices.Sorted(maps.Keys(methods)), ", ")))
	default:
		serve(world, w, r)
	}
}

// methodOf is the method by which a request of the control interface is served: HEAD is GET,
// of whose answer the client gets the header alone.
func methodOf(r *http.Request) string {
	if r.Method == http.MethodHead {
		return http.MethodGet
	}
	return r.Method
}

// setDate sets the Date header from the clock of the world.
func (s *Server) setDate(w http.ResponseWriter) {
	w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat))
}

// handled serves a request without a result: with 204, or 400 and the error.
func handled(do func(*Server, *http.Request) error) controlHandler {
	return func(s *Server, w http.ResponseWriter, r *http.Request) {
		if err := do(s, r); err != nil {
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

func (s *Server) getFixtures(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", jsonContent[0])
	if err := s.Dump(w); err != nil {
		// Part of the document is already sent: the client must not take it for the whole.
		panic(http.ErrAbortHandler)
	}
}

// getRequests answers with the journal, as an array of entries or an HTTP Archive.
func (s *Server) getRequests(w http.ResponseWriter, r *http.Request) {
	var err error
	switch format := r.URL.Query().Get("format"); format {
	case "", "json":
		w.Header().Set("Content-Type", jsonContent[0])
		err = writeLines(w, s.Journal())
	case "har":
		w.Header().Set("Content-Type", jsonContent[0])
		w.Header().Set("Content-Disposition", `attachment; filename="posthog-testserver.har"`)
		err = s.WriteHAR(w)
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

func (s *Server) getFaults(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", jsonContent[0])
	if err := writeLines(w, s.Faults()); err != nil {
		panic(http.ErrAbortHandler)
	}
}

func (s *Server) putFaults(r *http.Request) error {
	document, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("faults: %w", err)
	}
	return s.readFaults(document)
}

// Reset restores the initial store. Journal and faults stay.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setStore(s.initial.Clone())
}
