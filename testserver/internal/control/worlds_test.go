package control

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
)

// newServer returns a server with worlds. Its clock returns *now.
func newServer(t *testing.T, now *time.Time) *World {
	t.Helper()
	profile, err := service.FindProfile(service.Hosted)
	require.NoError(t, err)
	shared := &Settings{
		Settings: service.Settings{Profile: profile, Clock: func() time.Time { return *now }, IDs: uuid.New, Delivers: true, MaxEvents: 100},
		Log:      slog.New(slog.DiscardHandler),
	}
	initial, err := fixtures.Read(&shared.Settings, strings.NewReader(`{"api_keys":[{"key":"phx_test"},{"key":"phx_test_mine","scopes":["*"]}]}`))
	require.NoError(t, err)
	return New(shared, initial, true)
}

func TestNamesOfWorlds(t *testing.T) {
	t.Parallel()
	for name, isValid := range map[string]bool{
		"a": true, "Aa0_.-": true, strings.Repeat("x", 100): true,
		"": false, strings.Repeat("x", 101): false, "a/b": false, "a b": false, "ä": false, "a?b": false,
	} {
		assert.Equal(t, isValid, CheckWorldName(name) == nil, "%q", name)
	}
}

// TestWorldOfAKey expects that the key of a world selects that world, unless the store contains the key.
func TestWorldOfAKey(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	w := newServer(t, &now)
	for key, want := range map[string]string{
		"phx_test": "", "phx_test_mine": "", "phx_other": "", "phx_test_": "", "phx_test_a/b": "", "phx_test_a": "a", "phx_test_a.b-c": "a.b-c",
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Authorization", "Bearer "+key)
		assert.Equal(t, want, w.worlds.serving(w, r).WorldName, key)
	}

	_, err := w.Open("a b")
	require.ErrorContains(t, err, "is not a valid world name")
	w.worlds = nil
	_, err = w.Open("a")
	require.ErrorIs(t, err, errNoWorlds)
	_, isFound := w.Find("a")
	assert.False(t, isFound)
}

// TestWorldsAreDropped expects that the server drops worlds that had no request for an hour, and the
// least recently used worlds if there are too many.
func TestWorldsAreDropped(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	w := newServer(t, &now)
	open := func(name string) *World {
		opened, err := w.Open(name)
		require.NoError(t, err)
		return opened
	}

	first := open("first")
	now = now.Add(time.Hour)
	assert.Same(t, first, open("first"), "an hour is not idle")
	now = now.Add(time.Hour + 1)
	_, isFound := w.Find("first")
	assert.False(t, isFound)
	assert.NotSame(t, first, open("first"))

	for i := range maxWorlds {
		now = now.Add(time.Second)
		open(fmt.Sprint("w", i))
	}
	assert.Len(t, w.worlds.all(), maxWorlds)
	assert.NotContains(t, w.worlds.all(), "first")
	now = now.Add(time.Second)
	open("w0")
	open("last")
	assert.NotContains(t, w.worlds.all(), "w1", "the longest unused")
	assert.Contains(t, w.worlds.all(), "w0")
}
