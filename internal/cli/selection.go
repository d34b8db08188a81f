package cli

import (
	"fmt"
	"path"
	"strings"
)

// checkPatterns refuses globs that match nothing because they are malformed.
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

// wantsSurveys reports whether --kind leaves surveys in.
func (f *commonFlags) wantsSurveys() bool { return f.kind != kindApps }

// wantsApps reports whether --kind leaves import apps in.
func (f *commonFlags) wantsApps() bool { return f.kind != kindSurveys }

// selects reports whether --select and --exclude leave an object of this name in.
func (f *commonFlags) selects(name string) bool {
	return (len(f.selected) == 0 || matches(f.selected, name)) && !matches(f.without, name)
}

// matches reports whether one of the globs matches a name.
func matches(patterns []string, name string) bool {
	for _, pattern := range patterns {
		if ok, err := path.Match(flat(pattern), flat(name)); ok && err == nil {
			return true
		}
	}
	return false
}

// flat hides slashes from package path: names are no paths, and a * matches all of
// "A/B test".
func flat(text string) string { return strings.ReplaceAll(text, "/", "\x00") }
