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
	return template.URL(p.Base + p.query(pairs...)) //nolint:gosec // encoded
}

// Query is the query of the page.
func (p *Page) Query() template.URL {
	return template.URL(p.query()) //nolint:gosec // encoded
}

// query is the query of the page with some of its parameters replaced.
func (p *Page) query(pairs ...any) string {
	journal := p.Journal
	query := url.Values{}
	for name, value := range map[string]string{
		"world": p.World, "tab": p.Tab, "search": p.Search, "status": p.Status, "q": journal.Filter.Search,
		"errors": flag(journal.Errors), "faults": flag(journal.Filter.Faults), "writes": flag(journal.Writes),
	} {
		query.Set(name, value)
	}
	if journal.Before != 0 {
		query.Set("before", fmt.Sprint(journal.Before))
	}
	if p.Survey != nil {
		query.Set("survey", p.Survey.ID)
	}
	if p.App != nil {
		query.Set("app", fmt.Sprint(p.App.ID))
	}
	if journal.Detail != nil {
		query.Set("request", fmt.Sprint(journal.Detail.Number))
	}

	for i := 0; i+1 < len(pairs); i += 2 {
		query.Set(fmt.Sprint(pairs[i]), fmt.Sprint(pairs[i+1]))
	}
	for name := range query {
		if query.Get(name) == "" {
			query.Del(name)
		}
	}
	return "?" + query.Encode()
}

// flag is the value of a parameter that is set or not.
func flag(set bool) string {
	if set {
		return "1"
	}
	return ""
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
