package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// checkPatterns refuses malformed globs.
func (f *commonFlags) checkPatterns() error {
	for flag, patterns := range map[string][]string{"--select": f.selected, "--exclude": f.without} {
		for _, pattern := range patterns {
			if _, err := path.Match(pattern, ""); err != nil {
				return fmt.Errorf("%s %q is not a glob: %w", flag, pattern, err)
			}
		}
	}
	return nil
}

// selection says which objects a run works on. It is a value: a verb that works on one kind,
// or on what two sources have in common, passes a narrower one on.
type selection struct {
	surveys, apps bool
	// selected and without are globs of names.
	selected, without []string
	// matched are the globs of selected that matched an object of the run.
	matched map[string]bool
}

// selection is what the common flags select.
func (p *program) selection() selection {
	return selection{
		surveys: p.flags.kind != kindApps, apps: p.flags.kind != kindSurveys,
		selected: p.flags.selected, without: p.flags.without, matched: p.matched,
	}
}

// of is the same selection, from other kinds of objects.
func (s selection) of(surveys, apps bool) selection {
	s.surveys, s.apps = surveys, apps
	return s
}

// includes reports whether objects of a kind are selected from.
func (s selection) includes(kind source.Kind) bool {
	if kind == source.App {
		return s.apps
	}
	return s.surveys
}

// selects reports whether --select and --exclude include an object with this name. It
// remembers which globs of --select matched.
func (s selection) selects(name string) bool {
	selected := len(s.selected) == 0
	for _, pattern := range s.selected {
		if matches(pattern, name) {
			selected = true
			s.matched[pattern] = true
		}
	}
	return selected && !slices.ContainsFunc(s.without, func(pattern string) bool { return matches(pattern, name) })
}

// matches reports whether a glob matches a name.
func matches(pattern, name string) bool {
	ok, err := path.Match(flat(pattern), flat(name))
	return ok && err == nil
}

// flat hides slashes from package path: names are not paths, and * matches all of "A/B test".
func flat(text string) string { return strings.ReplaceAll(text, "/", "\x00") }

// selecting are the verbs that work on the objects of --select.
var selecting = []string{"diff", "draw", "export", "keys", "lint", "preview", "pull", "review", "snapshot", "sync"}

// checkSelectGlobs reports which globs of --select matched no object, as one with a typing
// error does. A sync that was to write something then did not do what it was asked for, so
// its exit code is 2. err is the result of the verb.
func (p *program) checkSelectGlobs(verb string, err error) error {
	code := exitCode(err)
	if code == codeError || !slices.Contains(selecting, verb) {
		return err
	}
	for _, pattern := range p.flags.selected {
		if p.matched[pattern] {
			continue
		}
		p.logf("Warning: --select %q matches nothing: there is no object with such a name.", pattern)
		if verb == "sync" && err == nil {
			err = &differencesError{"a --select matches nothing, so not all that was asked for was done"}
		}
	}
	return err
}
