package environment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/inputfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/yamldoc"
)

// FileName is the name of the environments file.
const FileName = "posthog-sync.yaml"

// mostBytes limits the size of the file.
const mostBytes = 1 << 20

// Set contains the environments in a file, or the environment in the variables.
type Set struct {
	// Path is the path of the file, or empty if there is none.
	Path string
	// Default is the environment that is used if no environment is selected. It is empty if the file contains
	// several environments and sets no default.
	Default string
	// names contains the names in file order.
	names        []string
	environments map[string]Environment
}

// Find reads the file at path. If path is empty, Find looks for posthog-sync.yaml in dir and in its parent
// directories, up to the root of the repository. If there is no file, the set contains one environment from
// the variables.
func Find(path, dir string, getenv func(string) string) (Set, error) {
	if path == "" {
		found, err := lookUp(dir)
		if err != nil {
			return Set{}, err
		}
		path = found
	}
	if path == "" {
		e, err := FromVariables(getenv)
		return Set{Default: DefaultName, names: []string{DefaultName}, environments: map[string]Environment{DefaultName: e}}, err
	}

	text, err := inputfile.ReadRegular(path, mostBytes)
	if err != nil {
		return Set{}, err
	}
	set, err := Parse(text, getenv)
	if err != nil {
		return Set{}, yamldoc.In(path, err)
	}
	set.Path = path
	for name, e := range set.environments {
		e.File = path
		set.environments[name] = e
	}
	return set, nil
}

// Names returns the names of all environments in file order.
func (s Set) Names() []string { return slices.Clone(s.names) }

// defaultQuota is the number of requests per minute that PostHog allows for one API key.
const defaultQuota = 480

// Shared returns the set for one of several parallel jobs. Each job gets an equal share of each key's rate
// limit.
func (s Set) Shared(part Part) Set {
	if part.of == 0 {
		return s
	}
	shared := map[string]Environment{}
	for name, e := range s.environments {
		e.RequestsPerMinute = max(cmp.Or(e.RequestsPerMinute, defaultQuota)/part.of, 1)
		shared[name] = e
	}
	s.environments = shared
	return s
}

// Get returns the environment with the given name. If the name is empty, it returns the default environment.
func (s Set) Get(name string) (Environment, error) {
	if name == "" {
		name = s.Default
	}
	if e, ok := s.environments[name]; ok {
		return e, nil
	}

	where := s.Path
	switch {
	case where == "" && name != "":
		return Environment{}, fmt.Errorf("environment %q is not defined: %s does not exist here or in a parent directory, so %q is the only environment",
			name, FileName, DefaultName)
	case name == "":
		return Environment{}, fmt.Errorf("%s defines several environments but no default. Set --env to one of %s",
			where, strings.Join(s.Names(), ", "))
	}
	return Environment{}, fmt.Errorf("environment %q is not in %s, which defines %s%s",
		name, where, strings.Join(s.Names(), ", "), suggestion(name, s.Names()))
}

// suggestion suggests the most similar known word.
func suggestion(word string, known []string) string {
	nearest, distance := "", len(word)/2+2
	for _, candidate := range known {
		if d := levenshtein.Distance(strings.ToLower(word), candidate, nil); d < distance {
			nearest, distance = candidate, d
		}
	}
	if nearest == "" {
		return "; known are " + strings.Join(known, ", ")
	}
	return fmt.Sprintf("; did you mean %q?", nearest)
}
