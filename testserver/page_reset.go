package testserver

import (
	"errors"
	"net/url"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// pageReset is a reset that can be undone: as long as the store is the one that it brought.
type pageReset struct{ before, after *store.Store }

// reset brings back the store of the start, or undoes that.
func (p pages) reset(form url.Values) (page.Result, error) {
	if form.Get("do") == "undo" {
		return p.undoReset()
	}

	held := p.server.contents
	held.mu.Lock()
	defer held.mu.Unlock()
	before := held.store
	held.setStore(held.initial.Clone())
	p.server.lastReset.Store(&pageReset{before, held.store})
	return page.StoreReset, nil
}

// undoReset brings back the store from before the last reset of the page.
func (p pages) undoReset() (page.Result, error) {
	held := p.server.contents
	held.mu.Lock()
	defer held.mu.Unlock()
	last := p.server.lastReset.Swap(nil)
	if last == nil || last.after != held.store {
		return "", errors.New("the store was replaced since the reset: nothing is left to undo")
	}
	held.setStore(last.before)
	return page.ResetUndone, nil
}

// canUndo reports whether a reset can be undone.
func (p pages) canUndo() bool {
	held := p.server.contents
	held.mu.RLock()
	defer held.mu.RUnlock()
	last := p.server.lastReset.Load()
	if last == nil {
		return false
	}
	if last.after != held.store {
		// Nobody can ask for the store of before any more: it takes no memory.
		p.server.lastReset.CompareAndSwap(last, nil)
		return false
	}
	return true
}
