package service

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// maxURL is the width of the column; a longer value is a database error.
const maxURL = 800

// repositories match the URLs that the service installs from. The first group is the name
// of the code, the second the version; without one, or with a branch, the newest version is
// installed.
var repositories = []*regexp.Regexp{
	regexp.MustCompile(`^https?://(?:www\.)?github\.com/[\w.-]+/([\w.-]+)(?:/commit/([\w.-]+)[\w./-]*)?$`),
	regexp.MustCompile(`^https?://(?:www\.)?github\.com/[\w.-]+/([\w.-]+)/tree/([a-f0-9]{40})(?:/[\w./-]*)?$`),
	regexp.MustCompile(`^https?://(?:www\.)?github\.com/[\w.-]+/([\w.-]+)/tree/[\w./-]+()$`),
	regexp.MustCompile(`^https?://(?:www\.)?github\.com/[\w.-]+/([\w.-]+)/releases/tag/([\w.-]+)[\w./-]*$`),
	regexp.MustCompile(`^https?://(?:www\.)?github\.com/[\w.-]+/([\w.-]+)/archive/([\w./-]+)(?:\.zip|\.tar\.gz)$`),
	regexp.MustCompile(`^https?://(?:www\.)?npmjs\.com/package/([@a-z0-9_-]+(?:/[a-z0-9_-]+)?)/?(?:v/([\w.-]+))?$`),
	regexp.MustCompile(`^https?://(?:www\.)?gitlab\.com/(?:[\w.-]+/)*([\w.-]+)/-/[\w.-]+/([\w.-]+)[\w./-]*$`),
	regexp.MustCompile(`^https?://(?:www\.)?gitlab\.com/(?:[\w.-]+/)*([\w.-]+)()$`),
}

// installApp completes a request for a new app with the values of the code at its URL, which is
// stored as it was sent. The URL may have any form.
func installApp(st *store.Store, url wire.Value, sent wire.Fields) *wire.Failure {
	if url.IsAbsent() {
		url = wire.Null
	}
	if sent["plugin_type"].Text() == string(api.Source) {
		return installSource(st, url, sent)
	}

	address := url.Text()
	sent["url"] = url
	switch {
	case address == "":
		return wire.ServerError()
	case strings.HasPrefix(address, "file:"):
		// Code on the disk of the service is only for its development.
		return wire.Refusal("", "Must be a GitHub/GitLab repository or a npm package URL!")
	}

	if f := download(st, address, sent); f != nil {
		return f
	}

	shown, _, _ := strings.Cut(address, "?")
	if isInstalled(st, func(url string) bool { return url == shown || strings.HasPrefix(url, shown+"?") }) {
		return wire.Refusal("", `Plugin from URL "%s" already installed!`, shown)
	}
	if tooLong(url) {
		return wire.ServerError()
	}
	return nil
}

// installSource completes a request for an app whose code is written on the service. Its URL
// is only stored; a number becomes text.
func installSource(st *store.Store, url wire.Value, sent wire.Fields) *wire.Failure {
	if _, isNumber := url.Number(); isNumber && url.Type() != "bool" {
		url = wire.NewText(url.String())
	}
	sent["url"] = url
	if tooLong(url) || url.IsText() && isInstalled(st, func(other string) bool { return other == url.Text() }) {
		return wire.ServerError()
	}
	return nil
}

// tooLong reports whether the database refuses a URL: too long, or not text.
func tooLong(url wire.Value) bool {
	return !url.IsNull() && (!url.IsText() || utf8.RuneCountInString(url.Text()) > maxURL)
}

// isInstalled reports whether an app of any organization has a URL.
func isInstalled(st *store.Store, is func(url string) bool) bool {
	for _, a := range st.Apps.Sorted() {
		if !a.IsNull(store.AppTable, "url") && is(a.Text(store.AppTable, "url")) {
			return true
		}
	}
	return false
}

// download overwrites the fields that the code at a URL defines.
func download(st *store.Store, address string, sent wire.Fields) *wire.Failure {
	source, ok := sourceAt(st, address)
	says := source.Description

	switch {
	case !ok:
		return wire.ServerError()
	case says.Len() == 0:
		return wire.Refusal("", "Could not find plugin.json in the plugin")
	case says.Get("stateless").IsTruthy() && says.Get("config").IsTruthy():
		return wire.Refusal("", "Stateless plugins cannot have a config!")
	}

	for name, field := range map[string]struct {
		key   string
		unset wire.Value
	}{
		"name": {"name", wire.NewText(lastPart(address))}, "description": {"description", wire.NewText("")},
		"icon": {"icon", wire.Null}, "config_schema": {"config", wire.EmptyArray}, "public_jobs": {"publicJobs", wire.EmptyObject},
	} {
		if sent[name] = says.Get(field.key); sent[name].IsAbsent() {
			sent[name] = field.unset
		}
	}

	if says.Get("name").IsAbsent() {
		return wire.ServerError()
	}

	sent["tag"], sent["latest_tag"] = wire.NewText(source.Tag), wire.NewText(source.Tag)
	kept := []string{string(api.Custom), string(api.Repository)}
	if !slices.Contains(kept, sent["plugin_type"].Text()) {
		sent["plugin_type"] = wire.NewText(string(api.Custom))
	}
	return nil
}

// sourceAt finds the code at a URL; not ok if the service cannot read it, or fails.
func sourceAt(st *store.Store, address string) (store.Source, bool) {
	shown, query, _ := strings.Cut(address, "?")
	shown = strings.Trim(shown, "/")
	i := slices.IndexFunc(repositories, func(r *regexp.Regexp) bool { return r.MatchString(shown) })
	if i < 0 || strings.Contains(query, "?") {
		return store.Source{}, false
	}
	groups := repositories[i].FindStringSubmatch(shown)
	source := sourceOr(st, unnamed(shown, groups[1], store.NewestTag))
	switch tag := groups[2]; {
	case strings.Contains(shown, "/releases/tag/"):
		source.Tag = "refs/tags/" + tag
	case tag != "":
		source.Tag = tag
	}
	return source, true
}

// sourceOr is the code at a URL in the fixtures, or else the given one.
func sourceOr(st *store.Store, given store.Source) store.Source {
	if st.Sources.Has(given.URL) {
		return st.Sources.Get(given.URL)
	}
	return given
}

// unnamed is code that the fixtures do not have.
func unnamed(url, name, tag string) store.Source {
	return store.Source{URL: url, Tag: tag, Description: wire.Of(map[string]string{"name": name})}
}

func lastPart(path string) string { return path[strings.LastIndexAny(path, "/:")+1:] }
