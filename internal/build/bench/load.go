package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// connections is the number of clients that send requests at the same time.
const connections = 16

// load is a series of requests with which a server is measured.
type load struct {
	name  string
	count int
	// request is the method, the path and the body of request number i of the run.
	request func(i int) (method, path, body string)
}

// on sends the requests, starting at a number, to a server over persistent connections, and
// returns the number of responses per second. A response without success is an error.
//
// It writes the requests to the connection directly: a full HTTP client would use more CPU
// time than the server that is measured.
func (l load) on(ctx context.Context, url string, from int) (float64, error) {
	rate, _, err := l.timed(ctx, url, from, connections)
	return rate, err
}

// timed is on with a number of connections. It also returns how long each response took, the
// shortest time first.
func (l load) timed(ctx context.Context, url string, from, clients int) (rate float64, times []time.Duration, err error) {
	var taken atomic.Int64
	taken.Store(int64(from))
	var group sync.WaitGroup
	failed, waited := make([]error, clients), make([][]time.Duration, clients)
	start := time.Now()
	for i := range failed {
		group.Go(func() { waited[i], failed[i] = l.connection(ctx, url, &taken, from+l.count) })
	}
	group.Wait()
	rate = float64(l.count) / time.Since(start).Seconds()

	times = slices.Concat(waited...)
	slices.Sort(times)
	return rate, times, errors.Join(failed...)
}

// connection is one of the clients: it sends requests until all up to end are sent, and returns
// how long each response took.
func (l load) connection(ctx context.Context, url string, taken *atomic.Int64, end int) (times []time.Duration, err error) {
	host := strings.TrimPrefix(url, "http://")
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()

	answers := bufio.NewReaderSize(conn, 64<<10)
	for ctx.Err() == nil {
		i := int(taken.Add(1)) - 1
		if i >= end {
			return times, nil
		}

		start := time.Now()
		method, path, body := l.request(i)
		_, err := fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer phx_test\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", method, path, host, len(body), body)
		if err != nil {
			return nil, err
		}

		answer, err := http.ReadResponse(answers, nil)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, path, err)
		}

		_, err = io.Copy(io.Discard, answer.Body)
		if err := errors.Join(err, answer.Body.Close()); err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, path, err)
		}

		if answer.StatusCode >= http.StatusMultipleChoices {
			return nil, fmt.Errorf("%s %s: %s", method, path, answer.Status)
		}
		times = append(times, time.Since(start))
	}
	return nil, ctx.Err()
}
