package cli

import (
	"fmt"
	"path"
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

// selects reports whether --select and --exclude include an object with this name.
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

// flat hides slashes from package path: names are not paths, and * matches all of "A/B test".
func flat(text string) string { return strings.ReplaceAll(text, "/", "\x00") }
