package environment

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
	"go.yaml.in/yaml/v4"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/yamldoc"
)

// FileName is the name under which the file is looked for.
const FileName = "posthog-sync.yaml"

// Set are the environments of one file, or the one of the variables.
type Set struct {
	// Path is the file; empty when there is none.
	Path string
	// Default is the environment that is taken when none is named; empty when there
	// are several and the file names none.
	Default string
	// names are in the order of the file.
	names        []string
	environments map[string]Environment
}

// Find reads the file at path, or else the posthog-sync.yaml of dir or of the nearest
// parent up to the root of the repository. Without any there is one environment, from
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

	text, err := os.ReadFile(path)
	if err != nil {
		return Set{}, fmt.Errorf("cannot read the environments: %w", err)
	}
	set, err := Parse(text, getenv)
	if err != nil {
		return Set{}, fmt.Errorf("%s: %w", path, err)
	}
	set.Path = path
	for name, e := range set.environments {
		e.File = path
		set.environments[name] = e
	}
	return set, nil
}

// Names are the names of all environments, in the order of the file.
func (s Set) Names() []string { return slices.Clone(s.names) }

// defaultQuota is the number of requests a minute that the hosted service allows an API key.
const defaultQuota = 480

// Shared is the set for one of several parts, each of which gets an equal share of the quota of
// each key.
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

// Get returns the environment of a name, the default one for no name.
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
		return Environment{}, fmt.Errorf("environment %q: there is no %s here or in a parent directory, so %q is the only environment",
			name, FileName, DefaultName)
	case name == "":
		return Environment{}, fmt.Errorf("%s has several environments and no default: name one of %s with --env",
			where, strings.Join(s.Names(), ", "))
	}
	return Environment{}, fmt.Errorf("environment %q is not in %s, which has %s%s",
		name, where, strings.Join(s.Names(), ", "), suggestion(name, s.Names()))
}

// environmentsDocument is the file as it is written.
type environmentsDocument struct {
	Default      string                      `yaml:"default"`
	Environments map[string]environmentEntry `yaml:"environments"`
}

// environmentEntry is one environment of the file.
type environmentEntry struct {
	BaseURL        string `yaml:"base_url"`
	ProjectID      string `yaml:"project_id"`
	OrganizationID string `yaml:"organization_id"`
	APIKeyVariable string `yaml:"api_key_variable"`
	Insecure       bool   `yaml:"insecure"`
}

// The keys of the two mappings of the file.
var (
	documentKeys = []string{"default", "environments"}
	entryKeys    = []string{"base_url", "project_id", "organization_id", "api_key_variable", "insecure"}
)

// variableName is what a shell can set.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// apiKey is how keys of the service begin.
var apiKey = regexp.MustCompile(`\bph[a-z]_[A-Za-z0-9]`)

// Parse reads the text of a file. Its errors begin with the line, and never repeat a value
// that may be a key.
func Parse(text []byte, getenv func(string) string) (Set, error) {
	root, err := yamldoc.Parse(text, "environments")
	if err != nil {
		return Set{}, err
	}
	if err := checkDocument(root); err != nil {
		return Set{}, err
	}
	var d environmentsDocument
	if err := root.Decode(&d); err != nil {
		return Set{}, yamldoc.Error(err)
	}
	return d.set(root, getenv)
}

// set turns what is written into environments.
func (d environmentsDocument) set(root *yaml.Node, getenv func(string) string) (Set, error) {
	s := Set{Default: d.Default, environments: map[string]Environment{}}
	for i, node := range value(root, "environments").Content {
		if i%2 == 0 {
			s.names = append(s.names, node.Value)
		}
	}
	for name, written := range d.Environments {
		e, err := Environment{
			Name:           name,
			BaseURL:        cmp.Or(written.BaseURL, defaultBaseURL),
			ProjectID:      written.ProjectID,
			OrganizationID: written.OrganizationID,
			APIKeyVariable: cmp.Or(written.APIKeyVariable, defaultKeyVariable),
			Insecure:       written.Insecure,
		}.paced(getenv)
		if err != nil {
			return Set{}, err
		}
		s.environments[name] = e
	}

	if _, ok := s.environments[s.Default]; s.Default != "" && !ok {
		at := value(root, "default")
		return Set{}, fmt.Errorf("line %d: default is %q, and environments has %s%s",
			at.Line, s.Default, strings.Join(s.Names(), ", "), suggestion(s.Default, s.Names()))
	}
	if s.Default == "" && len(s.environments) == 1 {
		s.Default = s.Names()[0]
	}
	return s, nil
}

// checkDocument refuses what the decoder would take or drop in silence.
func checkDocument(root *yaml.Node) error {
	if err := checkKeys(root, "the file", documentKeys); err != nil {
		return err
	}
	environments := value(root, "environments")
	if environments == nil || len(environments.Content) == 0 {
		return fmt.Errorf("line %d: there are no environments", root.Line)
	}
	if err := checkKeys(environments, "environments", nil); err != nil {
		return err
	}
	for i := 0; i < len(environments.Content); i += 2 {
		if err := checkEntry(environments.Content[i].Value, environments.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// checkEntry refuses an environment with unknown keys, or with a key of the service.
func checkEntry(name string, settings *yaml.Node) error {
	if err := checkKeys(settings, fmt.Sprintf("environment %q", name), entryKeys); err != nil {
		return err
	}

	for i := 0; i < len(settings.Content); i += 2 {
		key, given := settings.Content[i], settings.Content[i+1]
		switch {
		case given.Kind != yaml.ScalarNode || given.Tag == "!!null":
			return fmt.Errorf("line %d: %s of environment %q must be a string", given.Line, key.Value, name)
		case apiKey.MatchString(given.Value):
			return fmt.Errorf("line %d: %s of environment %q looks like an API key: keys do not belong in this file; "+
				"put it into an environment variable and write that variable's name as api_key_variable", given.Line, key.Value, name)
		case key.Value == "insecure" && given.Tag != "!!bool":
			return fmt.Errorf("line %d: %s of environment %q must be true or false", given.Line, key.Value, name)
		case key.Value == "api_key_variable" && !variableName.MatchString(given.Value):
			return fmt.Errorf("line %d: api_key_variable of environment %q is not the name of an environment variable", given.Line, name)
		}
	}

	base, insecure := value(settings, "base_url"), value(settings, "insecure")
	if base != nil && client.IsPlainHTTP(base.Value) && (insecure == nil || insecure.Value != "true") {
		return fmt.Errorf("line %d: base_url of environment %q is plain http, which sends the API key unencrypted: "+
			"use https, or add insecure: true", base.Line, name)
	}
	if value(settings, "project_id") == nil && value(settings, "organization_id") == nil {
		return fmt.Errorf("line %d: environment %q has neither project_id (for surveys) nor organization_id (for import apps)", settings.Line, name)
	}
	return nil
}

// secretKeys are names under which people write a key itself.
var secretKeys = []string{"api_key", "apikey", "key", "token", "secret", "personal_api_key"}

// checkKeys refuses what is no mapping, and keys that are in it twice or unknown; known is nil for
// names that people choose.
func checkKeys(mapping *yaml.Node, where string, known []string) error {
	if mapping.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: %s must be a mapping", mapping.Line, where)
	}
	seen := map[string]bool{}
	for i := 0; i < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		switch {
		case seen[key.Value]:
			return fmt.Errorf("line %d: %s has %q twice", key.Line, where, key.Value)
		case known != nil && slices.Contains(secretKeys, strings.ToLower(key.Value)):
			return fmt.Errorf("line %d: %s has %q: keys do not belong in this file; put the key into an environment variable "+
				"and write that variable's name as api_key_variable", key.Line, where, key.Value)
		case known != nil && !slices.Contains(known, key.Value):
			return fmt.Errorf("line %d: %s has an unknown key %q%s", key.Line, where, key.Value, suggestion(key.Value, known))
		}
		seen[key.Value] = true
	}
	return nil
}

// value returns the value of a key of a mapping, nil when it is not there.
func value(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// suggestion names the nearest of the known words.
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
