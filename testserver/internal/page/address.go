package page

import (
	"fmt"
	"html/template"
	"net/url"
	"strings"
)

// Address is the address of the page with some of its parameters replaced, which are given
// as pairs of name and value. An empty value removes a parameter.
func (p *Page) Address(pairs ...any) template.URL {
	query := url.Values{}
	for name, value := range map[string]string{
		"world": p.World, "search": p.Search, "operation": p.Journal.Operation, "status": p.Journal.Status,
	} {
		query.Set(name, value)
	}
	if p.Survey != nil {
		query.Set("survey", p.Survey.ID)
	}
	if p.App != nil {
		query.Set("app", fmt.Sprint(p.App.ID))
	}
	if p.Journal.Detail != nil {
		query.Set("request", fmt.Sprint(p.Journal.Detail.Number))
	}

	for i := 0; i+1 < len(pairs); i += 2 {
		query.Set(fmt.Sprint(pairs[i]), fmt.Sprint(pairs[i+1]))
	}
	for name := range query {
		if query.Get(name) == "" {
			query.Del(name)
		}
	}
	return template.URL(p.Base + "?" + query.Encode()) //nolint:gosec // encoded
}

// Elsewhere is the address of the page of another world, empty for that of the server itself.
func (p *Page) Elsewhere(world string) template.URL {
	query := url.Values{}
	if world != "" {
		query.Set("world", world)
	}
	return template.URL(p.Base + "?" + query.Encode()) //nolint:gosec // encoded
}

// Control is the address of a path of the control interface, for the world that is shown.
func (p *Page) Control(path string) string {
	path = p.Base + path
	if p.World == "" {
		return path
	}
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	return path + separator + url.Values{"world": {p.World}}.Encode()
}
