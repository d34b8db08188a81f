//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// storedSurveys is the number of surveys in the measured test server.
	storedSurveys = 1000
	// connections is the number of concurrent clients.
	connections = 16
	surveysPath = "/api/projects/1/surveys/"
)

// load is a kind of request with which bench measures servers.
type load struct {
	name    string
	count   int
	atLeast float64 // minimum ratio to a server that sends the same bytes from memory
	request func(i int) (method, path, body string)
}

var loads = []load{
	{"retrieve", 20_000, 0.5, func(i int) (method, path, body string) {
		return http.MethodGet, surveysPath + storedID(i%storedSurveys) + "/", ""
	}},
	{"list a page of 100", 2000, 0, func(int) (method, path, body string) {
		return http.MethodGet, surveysPath + "?limit=100", ""
	}},
	{"create", 5000, 0, func(i int) (method, path, body string) {
		return http.MethodPost, surveysPath, text(wireSurvey(fmt.Sprintf("Created %d", i)))
	}},
}

// servers measures the test server's requests per second over the loopback interface. The upper bound is a standard
// library server that sends the same bytes.
func (b *bench) servers(ctx context.Context) (rows []string, err error) {
	_, srv, err := startService(storedSurveys)
	if err != nil {
		return nil, err
	}
	defer srv.Close()

	count := 0 // each created survey needs a unique name
	for _, l := range loads {
		if b.quick {
			l.count /= 10
		}
		compared := row{what: "test server: " + l.name, show: perSecond, against: "the same bytes from memory", atLeast: l.atLeast}
		answer, err := l.send(ctx, srv.URL, count, count+1)
		if err != nil {
			return nil, err
		}
		count++
		static := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
			_, _ = w.Write(answer) // an error means that the client has disconnected
		}))
		defer static.Close()
		for range b.rounds {
			for url, rates := range map[string]*[]float64{srv.URL: &compared.ours, static.URL: &compared.others} {
				start := time.Now()
				if _, err := l.send(ctx, url, count, count+l.count); err != nil {
					return nil, err
				}
				*rates = append(*rates, float64(l.count)/time.Since(start).Seconds())
				count += l.count
			}
		}
		b.write(&rows, compared)
	}
	return rows, nil
}

// send sends the requests with the numbers from start to end over persistent connections, and returns one of
// the response bodies. It fails if a response is not successful.
func (l load) send(ctx context.Context, url string, start, end int) ([]byte, error) {
	var taken atomic.Int64
	taken.Store(int64(start))
	var group sync.WaitGroup
	answers, failed := make([][]byte, connections), make([]error, connections)
	for i := range connections {
		group.Go(func() { answers[i], failed[i] = l.connection(ctx, strings.TrimPrefix(url, "http://"), &taken, end) })
	}
	group.Wait()
	for _, answer := range answers {
		if answer != nil {
			return answer, errors.Join(failed...)
		}
	}
	return nil, errors.Join(failed...)
}

// connection sends requests as one client until the last one is sent. It writes to the connection directly,
// because a full HTTP client would use more CPU time than the measured server.
func (l load) connection(ctx context.Context, host string, next *atomic.Int64, end int) (last []byte, err error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()

	responses, body := bufio.NewReaderSize(conn, 64<<10), new(bytes.Buffer)
	for ctx.Err() == nil {
		i := int(next.Add(1)) - 1
		if i >= end {
			return bytes.Clone(body.Bytes()), nil
		}
		method, path, payload := l.request(i)
		if _, err := fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer phx_test\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", method, path, host, len(payload), payload); err != nil {
			return nil, err
		}
		response, err := http.ReadResponse(responses, nil)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, path, err)
		}
		body.Reset()
		_, err = body.ReadFrom(response.Body)
		if err := errors.Join(err, response.Body.Close()); err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, path, err)
		}
		if response.StatusCode >= http.StatusMultipleChoices {
			return nil, fmt.Errorf("%s %s: %s", method, path, response.Status)
		}
	}
	return nil, ctx.Err()
}
