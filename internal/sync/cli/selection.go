package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"
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

// wantsSurveys reports whether --kind includes surveys.
func (f *commonFlags) wantsSurveys() bool { return f.kind != kindApps }

// wantsApps reports whether --kind includes import apps.
func (f *commonFlags) wantsApps() bool { return f.kind != kindSurveys }

// selects reports whether --select and --exclude include an object with this name. It
// remembers which globs of --select matched.
func (f *commonFlags) selects(name string) bool {
	if f.matched == nil {
		f.matched = map[string]bool{}
	}
	selected := len(f.selected) == 0
	for _, pattern := range f.selected {
		if matches(pattern, name) {
			selected = true
			f.matched[pattern] = true
		}
	}
	return selected && !slices.ContainsFunc(f.without, func(pattern string) bool { return matches(pattern, name) })
}

// matches reports whether a glob matches a name.
func matches(pattern, name string) bool {
	ok, err := path.Match(flat(pattern), flat(name))
	return ok && err == nil
}

// flat hides slashes from package path: names are not paths, and * matches all of "A/B test".
func flat(text string) string { return strings.ReplaceAll(text, "/", "\x00") }

// selecting are the verbs that work on the objects of --select.
var selecting = []string{"diff", "draw", "export", "lint", "preview", "pull", "review", "snapshot", "sync"}

// reportUnmatched says which globs of --select matched no object, as one with a typing
// error does. A sync that was to write something then did not do what it was asked for, so
// its exit code is 2. err is the result of the verb.
func (p *program) reportUnmatched(verb string, err error) error {
	code := exitCode(err)
	if code == codeError || !slices.Contains(selecting, verb) {
		return err
	}
	for _, pattern := range p.flags.selected {
		if p.flags.matched[pattern] {
			continue
		}
		p.logf("Warning: --select %q matches nothing: there is no %s with such a name.", pattern, p.flags.noun())
		if verb == "sync" && err == nil {
			err = &differencesError{"a --select matches nothing, so not all that was asked for was done"}
		}
	}
	return err
}

// noun names the objects of --kind.
func (f *commonFlags) noun() string {
	switch f.kind {
	case kindSurveys:
		return "survey"
	case kindApps:
		return "import app"
	}
	return "survey or import app"
}
