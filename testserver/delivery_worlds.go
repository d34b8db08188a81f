package testserver

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
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

// worldOfPage is the world for what a browser asks without a token: the one that the parameter world
// names, or else the one that has a survey, whose id hardly ever is that of another one.
func (s *Server) worldOfPage(query url.Values, survey string) *Server {
	if s.worlds == nil {
		return s
	}
	if found, ok := s.worlds.find(query.Get("world"), s.clock()); ok {
		return found
	}
	if survey == "" || s.contents.hasSurvey(survey) {
		return s
	}
	for _, world := range s.Worlds() {
		if found, ok := s.worlds.find(world.Name, s.clock()); ok && found.contents.hasSurvey(survey) {
			return found
		}
	}
	return s
}

// hasSurvey reports whether the store has a survey with an id.
func (c *contents) hasSurvey(id string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	_, err := findSurvey(c.store, id)
	return err == nil
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
	if err != nil {
		return ""
	}
	return d.contents.tokenOf(found)
}

// tokenOf is the token of a project, nil for none, in the world of the contents.
func (c *contents) tokenOf(p *store.Project) string {
	if p == nil || p.Token == "" {
		return ""
	}
	if c.worldKey != nil {
		return p.Token + "_" + strings.TrimPrefix(c.worldKey.Token, worldKeyPrefix)
	}
	return p.Token
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
