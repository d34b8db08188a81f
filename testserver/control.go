package testserver

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// controlPrefix is where the control interface is: beside the API, without a key.
const controlPrefix = "/_testserver/"

// controlRoutes are the paths by which tests in other processes work the server.
func (s *Server) controlRoutes() http.Handler {
	paths := map[string]map[string]http.HandlerFunc{
		"fixtures": {
			http.MethodPut: handled(func(r *http.Request) error { return s.SetFixtures(r.Body) }),
			http.MethodGet: s.getFixtures,
		},
		"reset": {http.MethodPost: handled(func(*http.Request) error { s.Reset(); return nil })},
		"requests": {
			http.MethodGet:    s.getRequests,
			http.MethodDelete: handled(func(*http.Request) error { s.ResetJournal(); return nil }),
		},
		"faults": {
			http.MethodPut:    handled(s.putFaults),
			http.MethodDelete: handled(func(*http.Request) error { return s.SetFaults() }),
		},
		"clock": {http.MethodPut: handled(s.putClock)},
	}

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.Trim(strings.TrimPrefix(r.URL.Path, controlPrefix), "/")
		methods, known := paths[name]

		switch serve := methods[r.Method]; {
		case !known:
			writeFailure(w, notFound("The control interface has fixtures, reset, requests, faults and clock."))
		case serve == nil:
			var allow []string
			for method := range methods {
				allow = append(allow, method)
			}
			slices.Sort(allow)
			writeFailure(w, methodNotAllowed(r.Method, strings.Join(allow, ", ")))
		default:
			serve(w, r)
		}
	})
}

// handled serves a request that is carried out or refused: 204, or 400 with the reason.
func handled(do func(*http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := do(r); err != nil {
			writeFailure(w, badRequest("invalid_input", err.Error()))
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

func writeFailure(w http.ResponseWriter, f *failure) {
	w.Header().Set("Content-Type", jsonContent[0])
	if f.allow != "" {
		w.Header().Set("Allow", f.allow)
	}
	w.WriteHeader(f.status)
	// The client is gone when this fails: there is no one to report it to.
	_, _ = io.Copy(w, bytes.NewReader(append(f.body(), '\n')))
}

func (s *Server) getFixtures(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", jsonContent[0])
	if err := s.Dump(w); err != nil {
		// Part of the document is out: the client must not take it for the whole.
		panic(http.ErrAbortHandler)
	}
}

func (s *Server) getRequests(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", jsonContent[0])
	out := bufio.NewWriter(w)
	separator := "["
	for _, request := range s.Journal() {
		_, _ = out.WriteString(separator)
		_, _ = out.Write(rawjson.Encode(request))
		separator = ",\n"
	}
	if separator == "[" {
		_, _ = out.WriteString("[")
	}
	_, _ = out.WriteString("]\n")
	if err := out.Flush(); err != nil {
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

// Reset brings back the store of the start. Journal and faults stay.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store = s.initial.clone()
}
