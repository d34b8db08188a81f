package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLoadSendsEveryRequestOnce(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]int{}
	answer := staticResponse{"", http.StatusCreated, []byte(strings.Repeat("x", 100_000))}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.URL.Path+" "+strconv.FormatInt(r.ContentLength, 10)]++
		mu.Unlock()
		answer.ServeHTTP(w, r)
	}))
	defer server.Close()
	l := load{"create", 200, func(i int) (method, path, body string) { return http.MethodPost, fmt.Sprintf("/%d", i), "{}" }}
	rate, err := l.on(t.Context(), server.URL, 1000)
	require.NoError(t, err)
	require.Positive(t, rate)
	require.Len(t, seen, 200)
	for i := 1000; i < 1200; i++ {
		require.Equal(t, 1, seen[fmt.Sprintf("/%d 2", i)])
	}
}

func TestLoadTakesNoFailureForAnAnswer(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	_, err := load{"retrieve", 20, func(int) (method, path, body string) { return http.MethodGet, "/gone", "" }}.on(t.Context(), server.URL, 0)
	require.ErrorContains(t, err, "GET /gone: 404 Not Found")
}

// The times of responses are those of all requests, in order, and shares of them lie within.
func TestTimesOfALoad(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(staticResponse{"", http.StatusOK, []byte("x")})
	defer server.Close()
	l := load{"get", 100, func(int) (method, path, body string) { return http.MethodGet, "/", "" }}
	rate, times, err := l.timed(t.Context(), server.URL, 0, 5)
	require.NoError(t, err)
	require.Positive(t, rate)
	require.Len(t, times, 100)
	require.True(t, slices.IsSorted(times))
	require.LessOrEqual(t, within(times, 50), within(times, 99))
	require.Equal(t, times[99], within(times, 100))
}

// The operations of the table do what they are named after.
func TestOperationsAreRoutedToTheirAnswers(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	for i, o := range operations {
		mux.Handle(o.pattern, staticResponse{o.pattern, http.StatusOK + i, []byte(o.name)})
	}
	server := httptest.NewServer(mux)
	defer server.Close()
	for i, o := range operations {
		learnt, err := fetchResponse(t.Context(), server.URL, o.pattern, o.load)
		require.NoError(t, err)
		require.Equal(t, staticResponse{o.pattern, http.StatusOK + i, []byte(o.name)}, learnt)
	}
}

// A lock file that names where its packages came from would tie everybody to it.
func TestPrismLockNamesNoRegistry(t *testing.T) {
	t.Parallel()
	lock, err := prismPackage.ReadFile("prism/package-lock.json")
	require.NoError(t, err)
	require.NotContains(t, string(lock), `"resolved"`)
	require.Contains(t, string(lock), `"integrity"`)
}
