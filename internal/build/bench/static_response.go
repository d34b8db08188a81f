package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

// staticResponse is a response that never changes.
type staticResponse struct {
	Pattern string // of the requests that get it
	Status  int
	Body    []byte
}

// serveStatic serves the responses in a file from memory with the standard library alone,
// which is the upper bound, until the context ends. It prints its address.
func serveStatic(ctx context.Context, file string) error {
	document, err := os.ReadFile(file)
	if err != nil {
		return err
	}

	var answers []staticResponse
	if err := json.Unmarshal(document, &answers); err != nil {
		return err
	}

	mux := http.NewServeMux()
	for _, answer := range answers {
		mux.Handle(answer.Pattern, answer)
	}

	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	stopped := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stopped()

	fmt.Println("listening on http://" + listener.Addr().String())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ServeHTTP implements http.Handler.
func (s staticResponse) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(s.Body)))
	w.WriteHeader(s.Status)
	_, _ = w.Write(s.Body) // the client is gone
}

// fetchResponse sends one request to a server and returns its response.
func fetchResponse(ctx context.Context, url, pattern string, l load) (staticResponse, error) {
	method, path, body := l.request(0)
	status, answer, err := ask(ctx, method, url+path, body)
	return staticResponse{Pattern: pattern, Status: status, Body: answer}, err
}
