package testserver

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// world is the world that the parameter world of a control request names, else s
// itself. A request that changes something creates the world if needed, one that reads does
// not.
func (c control) world(r *http.Request) (*Server, *field.Failure) {
	if !r.URL.Query().Has("world") {
		return c.server, nil
	}
	name := r.URL.Query().Get("world")
	if methodOf(r) == http.MethodGet && c.server.worlds != nil && checkWorldName(name) == nil {
		// A test that asks a misspelt world for its requests must not read that there are none.
		found, ok := c.server.worlds.find(name, c.server.clock())
		if !ok {
			return nil, field.NotFound(fmt.Sprintf("There is no world %q: the first request with the key %s creates it, or the first change here.",
				name, worldKeyPrefix+name))
		}
		return found, nil
	}

	found, err := c.server.World(name)
	if err != nil {
		return nil, field.BadRequest("invalid_input", err.Error())
	}
	return found, nil
}

// serveWorlds lists and drops worlds: all of them, or the one in the path.
func (c control) serveWorlds(w http.ResponseWriter, r *http.Request, name string) {
	listed := c.server.Worlds()
	if name != "" {
		listed = slices.DeleteFunc(listed, func(other World) bool { return other.Name != name })
		if len(listed) == 0 {
			writeFailure(w, field.NotFound("There is no world of this name."))
			return
		}
	}

	switch methodOf(r) {
	case http.MethodGet:
		w.Header().Set("Content-Type", jsonContent[0])
		if name != "" {
			_, _ = w.Write(append(rawjson.Encode(listed[0]), '\n'))
			return
		}
		if err := writeLines(w, listed); err != nil {
			panic(http.ErrAbortHandler)
		}
	case http.MethodDelete:
		for _, world := range listed {
			c.server.DropWorld(world.Name)
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		writeFailure(w, field.MethodNotAllowed(r.Method, strings.Join([]string{http.MethodDelete, http.MethodGet}, ", ")))
	}
}
