package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// storedSurveys is how many surveys the test server holds while it is measured.
	storedSurveys = 1000
	// connections is the number of clients that send requests at the same time.
	connections = 16
	surveysPath = "/api/projects/1/surveys/"
)

// load is a kind of request that servers are measured with.
type load struct {
	name    string
	count   int
	pattern string // of the requests that the standard library answers with recorded bytes
	bound   bar    // of the ratio to that
	request func(i int) (method, path, body string)
}

var loads = []load{
	{"retrieve", 20_000, "GET " + surveysPath + "{id}/", bar{atLeast: 0.5}, func(i int) (method, path, body string) {
		return http.MethodGet, surveysPath + surveyID(i%storedSurveys) + "/", ""
	}},
	{"list a page of 100", 2000, "GET " + surveysPath + "{$}", bar{}, func(int) (method, path, body string) {
		return http.MethodGet, surveysPath + "?limit=100", ""
	}},
	{"create", 5000, "POST " + surveysPath + "{$}", bar{}, func(i int) (method, path, body string) {
		return http.MethodPost, surveysPath, text(wireSurvey(map[string]any{"name": fmt.Sprintf("Created %d", i)}))
	}},
}

// servers measures how many requests the test server answers in a second, over the loopback
// interface, against the standard library with the same bytes, which is the limit.
func (b *bench) servers(ctx context.Context) (rows []string, err error) {
	srv, err := b.startService(ctx, storedSurveys)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, srv.stop()) }()
	static, err := b.startStatic(ctx, srv)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, static.stop()) }()

	sent := 1 // no two surveys that are created may have one name
	for _, l := range loads {
		if b.quick {
			l.count /= 10
		}
		var rates [2]samples
		for range b.rounds {
			for i, url := range []string{srv.url, static.url} {
				rate, err := l.on(ctx, url, sent)
				if err != nil {
					return nil, err
				}
				rates[i] = append(rates[i], rate)
				sent += l.count
			}
		}
		rows = append(rows, b.compared(fmt.Sprintf("test server: %s", l.name), rates[0], rates[1], "the same bytes from memory", perSecond, l.bound))
	}
	return rows, nil
}

// on sends requests, starting at a number, to a server over persistent connections, and
// returns the number of responses per second. A response without success is an error.
func (l load) on(ctx context.Context, url string, from int) (float64, error) {
	var taken atomic.Int64
	taken.Store(int64(from))
	var group sync.WaitGroup
	failed := make([]error, connections)
	start := time.Now()
	for i := range failed {
		group.Go(func() { failed[i] = l.connection(ctx, strings.TrimPrefix(url, "http://"), &taken, from+l.count) })
	}
	group.Wait()
	return float64(l.count) / time.Since(start).Seconds(), errors.Join(failed...)
}

// connection is one of the clients: it sends requests until all up to end are sent. It writes
// them to the connection directly: a full HTTP client would use more CPU time than the server
// that is measured.
func (l load) connection(ctx context.Context, host string, taken *atomic.Int64, end int) (err error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()

	answers := bufio.NewReaderSize(conn, 64<<10)
	for ctx.Err() == nil {
		i := int(taken.Add(1)) - 1
		if i >= end {
			return nil
		}
		method, path, body := l.request(i)
		_, err := fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer phx_test\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", method, path, host, len(body), body)
		if err != nil {
			return err
		}
		answer, err := http.ReadResponse(answers, nil)
		if err != nil {
			return fmt.Errorf("%s %s: %w", method, path, err)
		}
		_, err = io.Copy(io.Discard, answer.Body)
		if err := errors.Join(err, answer.Body.Close()); err != nil {
			return fmt.Errorf("%s %s: %w", method, path, err)
		}
		if answer.StatusCode >= http.StatusMultipleChoices {
			return fmt.Errorf("%s %s: %s", method, path, answer.Status)
		}
	}
	return ctx.Err()
}

// staticResponse is a response that never changes.
type staticResponse struct {
	Pattern string // of the requests that get it
	Body    []byte
}

// startStatic runs the standard library with the responses of the test server.
func (b *bench) startStatic(ctx context.Context, srv *server) (*server, error) {
	var answers []staticResponse
	for _, l := range loads {
		method, path, body := l.request(0)
		answer, err := srv.ask(ctx, method, path, body)
		if err != nil {
			return nil, err
		}
		answers = append(answers, staticResponse{l.pattern, answer})
	}
	file := filepath.Join(b.dir, "static.json")
	if err := os.WriteFile(file, []byte(text(answers)), 0o600); err != nil {
		return nil, err
	}
	return startServer(ctx, 0, b.self, "static", file)
}

// serveStatic serves the responses in a file from memory, until the context ends. It prints
// its address.
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
		mux.HandleFunc(answer.Pattern, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(len(answer.Body)))
			_, _ = w.Write(answer.Body) // the client is gone
		})
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
