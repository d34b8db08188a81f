package try

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// maxForm bounds the form of the clock, in bytes.
const maxForm = 4 << 10

// setClock stops the clock of the world at a time, or lets it run again, and returns to the
// panel.
func (p *Panel) setClock(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var at *time.Time
	if text := r.PostForm.Get("clock"); text != "" && !r.PostForm.Has("run") {
		t, err := time.Parse("2006-01-02T15:04", text)
		if err != nil {
			http.Error(w, fmt.Sprintf("clock: must be a date and a time, is %q", text), http.StatusBadRequest)
			return
		}
		at = &t
	}
	if err := p.World.stopClock(r.Context(), at); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	back := url.URL{Path: "/", RawQuery: r.PostForm.Get("query")}
	http.Redirect(w, r, back.RequestURI(), http.StatusSeeOther)
}

// stopClock stops the clock of the server, or lets it run with nil.
func (w *World) stopClock(ctx context.Context, at *time.Time) error {
	body, err := json.Marshal(map[string]*time.Time{"clock": at})
	if err != nil {
		return err
	}
	if _, err := w.send(ctx, http.MethodPut, "/_testserver/clock", body); err != nil {
		return fmt.Errorf("the clock cannot be set: %w", err)
	}
	w.stopped.Store(at)
	return nil
}

// Now is the time of the world.
func (w *World) Now() time.Time {
	if stopped := w.stopped.Load(); stopped != nil {
		return *stopped
	}
	return w.clock()
}
