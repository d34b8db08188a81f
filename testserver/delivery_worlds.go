package testserver

import (
	"strconv"
	"strings"
)

// worldOfToken is the world of a token, and the token of the project there: in the world NAME the
// token of a project of the initial fixtures has _NAME at its end, as keys do. A token alone makes
// no world, since any web site can send one.
func (s *Server) worldOfToken(token string) (world *Server, own string) {
	if s.world.name != "" {
		return s, strings.TrimSuffix(token, "_"+s.world.name)
	}
	if s.worlds == nil || s.contents.hasToken(token) {
		return s, token
	}

	for i := len(token) - 1; i > 0; i-- {
		if token[i] != '_' || s.contents.initial.ProjectWithToken(token[:i]) == nil {
			continue
		}
		if found, ok := s.worlds.find(token[i+1:], s.clock()); ok {
			return found, token[:i]
		}
	}
	return s, token
}

// hasToken reports whether a project of the store has a token.
func (c *contents) hasToken(token string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.store.ProjectWithToken(token) != nil
}

// ProjectToken is the token by which apps name a project in posthog.init: the api_token of the
// fixtures, with the name of the world at its end in a world. It is empty for a project without
// a token.
func (d *direct) ProjectToken(projectID string) string {
	id, err := strconv.ParseInt(projectID, 10, 64)
	d.contents.mu.RLock()
	defer d.contents.mu.RUnlock()
	found := d.contents.store.Projects.Get(id)
	if err != nil || found == nil || found.Token == "" {
		return ""
	}
	if key := d.contents.worldKey; key != nil {
		return found.Token + "_" + strings.TrimPrefix(key.Token, worldKeyPrefix)
	}
	return found.Token
}

// appToken is the token for the project of [Server.Credentials]; empty when no surveys are served
// to apps.
func (s *Server) appToken() string {
	if s.delivered == nil {
		return ""
	}
	_, project, _ := s.Credentials()
	return s.ProjectToken(project)
}
