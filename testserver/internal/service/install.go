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

// maxURL is the width of the database column. PostHog fails with a database error for a longer URL.
const maxURL = 800

// repositories match the URLs from which PostHog installs apps. The first group is the name of the code. The
// second group is the version. If it is missing or a branch, PostHog installs the newest version.
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

// installApp completes a request for a new app with values from the code at its URL. It stores the URL as
// the client sent it, in any form.
func installApp(st *store.Store, url wire.Value, input wire.Fields) *wire.Failure {
	if url.IsAbsent() {
		url = wire.Null
	}
	if input["plugin_type"].Text() == string(api.Source) {
		return installSource(st, url, input)
	}

	address := url.Text()
	input["url"] = url
	switch {
	case address == "":
		return wire.ServerError()
	case strings.HasPrefix(address, "file:"):
		// PostHog allows code on its own disk only in development.
		return wire.Refusal("", "Must be a GitHub/GitLab repository or a npm package URL!")
	}

	if f := download(st, address, input); f != nil {
		return f
	}

	withoutQuery, _, _ := strings.Cut(address, "?")
	if isInstalled(st, func(url string) bool { return url == withoutQuery || strings.HasPrefix(url, withoutQuery+"?") }) {
		return wire.Refusal("", `Plugin from URL "%s" already installed!`, withoutQuery)
	}
	if tooLong(url) {
		return wire.ServerError()
	}
	return nil
}

// installSource completes a request for an app whose code is written in PostHog. PostHog only stores the
// URL, and converts a number to text.
func installSource(st *store.Store, url wire.Value, input wire.Fields) *wire.Failure {
	if _, isNumber := url.Number(); isNumber && url.Type() != "bool" {
		url = wire.NewText(url.String())
	}
	input["url"] = url
	if tooLong(url) || url.IsText() && isInstalled(st, func(installed string) bool { return installed == url.Text() }) {
		return wire.ServerError()
	}
	return nil
}

// tooLong reports whether the database refuses a URL because it is too long or not a string.
func tooLong(url wire.Value) bool {
	return !url.IsNull() && (!url.IsText() || utf8.RuneCountInString(url.Text()) > maxURL)
}

// isInstalled reports whether an app of any organization has a matching URL.
func isInstalled(st *store.Store, matches func(url string) bool) bool {
	for _, app := range st.Apps.Sorted() {
		if !app.IsNull(store.AppTable, "url") && matches(app.Text(store.AppTable, "url")) {
			return true
		}
	}
	return false
}

// download overwrites the fields that the code at a URL defines.
func download(st *store.Store, address string, input wire.Fields) *wire.Failure {
	source, ok := findSource(st, address)
	description := source.Description

	switch {
	case !ok:
		return wire.ServerError()
	case description.Len() == 0:
		return wire.Refusal("", "Could not find plugin.json in the plugin")
	case description.Get("stateless").IsTruthy() && description.Get("config").IsTruthy():
		return wire.Refusal("", "Stateless plugins cannot have a config!")
	}

	for name, field := range map[string]struct {
		key   string
		unset wire.Value
	}{
		"name": {"name", wire.NewText(lastPart(address))}, "description": {"description", wire.NewText("")},
		"icon": {"icon", wire.Null}, "config_schema": {"config", wire.EmptyArray}, "public_jobs": {"publicJobs", wire.EmptyObject},
	} {
		if input[name] = description.Get(field.key); input[name].IsAbsent() {
			input[name] = field.unset
		}
	}

	if description.Get("name").IsAbsent() {
		return wire.ServerError()
	}

	input["tag"], input["latest_tag"] = wire.NewText(source.Tag), wire.NewText(source.Tag)
	types := []string{string(api.Custom), string(api.Repository)}
	if !slices.Contains(types, input["plugin_type"].Text()) {
		input["plugin_type"] = wire.NewText(string(api.Custom))
	}
	return nil
}

// findSource finds the code at a URL. ok is false if PostHog cannot read the code.
func findSource(st *store.Store, address string) (store.Source, bool) {
	path, query, _ := strings.Cut(address, "?")
	path = strings.Trim(path, "/")
	i := slices.IndexFunc(repositories, func(r *regexp.Regexp) bool { return r.MatchString(path) })
	if i < 0 || strings.Contains(query, "?") {
		return store.Source{}, false
	}
	groups := repositories[i].FindStringSubmatch(path)
	source := sourceOr(st, defaultSource(path, groups[1], store.NewestTag))
	switch tag := groups[2]; {
	case strings.Contains(path, "/releases/tag/"):
		source.Tag = "refs/tags/" + tag
	case tag != "":
		source.Tag = tag
	}
	return source, true
}

// sourceOr returns the fixtures' source with the same URL, or source itself.
func sourceOr(st *store.Store, source store.Source) store.Source {
	if st.Sources.Has(source.URL) {
		return st.Sources.Get(source.URL)
	}
	return source
}

// defaultSource returns the source for a URL that is not in the fixtures.
func defaultSource(url, name, tag string) store.Source {
	return store.Source{URL: url, Tag: tag, Description: wire.Of(map[string]string{"name": name})}
}

func lastPart(path string) string { return path[strings.LastIndexAny(path, "/:")+1:] }
