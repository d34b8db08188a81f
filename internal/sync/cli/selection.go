package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// checkPatterns returns an error for malformed globs.
func (f *commonFlags) checkPatterns() error {
	for flag, patterns := range map[string][]string{"--select": f.selected, "--exclude": f.without} {
		for _, pattern := range patterns {
			if _, err := path.Match(pattern, ""); err != nil {
				return fmt.Errorf("%s %q is not a valid glob: a [ is not closed, or a \\ is the last character. To match a special character, put \\ before it", flag, pattern)
			}
		}
	}
	return nil
}

// selection selects the objects of a run. It is passed by value, so that a command can narrow it to one
// kind, or to the kinds that two sources have in common.
type selection struct {
	surveys, apps bool
	// selected and without contain globs for names.
	selected, without []string
	// matched contains the globs in selected that matched an object during the run.
	matched map[string]bool
}

// selection returns the selection that the common flags define.
func (p *program) selection() selection {
	return selection{
		surveys: p.flags.kind != kindApps, apps: p.flags.kind != kindSurveys,
		selected: p.flags.selected, without: p.flags.without, matched: p.matched,
	}
}

// of returns the selection with other kinds of objects.
func (s selection) of(surveys, apps bool) selection {
	s.surveys, s.apps = surveys, apps
	return s
}

// includes reports whether the selection includes objects of a kind.
func (s selection) includes(kind source.Kind) bool {
	if kind == source.App {
		return s.apps
	}
	return s.surveys
}

// selects reports whether --select and --exclude include an object with this name. It records the
// --select globs that match.
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

// flat replaces slashes for package path: a name is not a path, so * must match all of "A/B test".
func flat(text string) string { return strings.ReplaceAll(text, "/", "\x00") }

// selecting lists the commands that support --select.
var selecting = []string{"diff", "draw", "export", "keys", "lint", "preview", "pull", "review", "snapshot", "sync"}

// checkSelectGlobs reports the --select globs that matched no object, which may contain typos. If sync
// changed objects, but a glob matched no object, the exit code is 2. err is the command's result.
func (p *program) checkSelectGlobs(verb string, err error) error {
	code := exitCode(err)
	if code == codeError || !slices.Contains(selecting, verb) {
		return err
	}
	for _, pattern := range p.flags.selected {
		if p.matched[pattern] {
			continue
		}
		p.logf("Warning: --select %q does not match any object.", pattern)
		if verb == "sync" && err == nil {
			err = &differencesError{"a --select glob matches no object, so the sync may be incomplete"}
		}
	}
	return err
}
