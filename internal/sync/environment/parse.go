package environment

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/yamldoc"
)

// Keys of the two mappings in the file.
var (
	documentKeys = []string{"default", "environments"}
	entryKeys    = []string{"base_url", "project_id", "organization_id", "api_key_variable", "insecure"}
)

// variableName matches names that shells can set.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// apiKey matches the start of PostHog API keys.
var apiKey = regexp.MustCompile(`\bph[a-z]_[A-Za-z0-9]`)

// Parse parses a file's text. Its errors have the type [yamldoc.Errors]. They never contain a value that may
// be an API key.
func Parse(text []byte, getenv func(string) string) (Set, error) {
	root, err := yamldoc.Parse(text, "environments")
	if root == nil {
		return Set{}, err
	}
	var p parser
	p.document(root)
	if mistakes, ok := errors.AsType[yamldoc.Errors](err); ok {
		p.errors = append(p.errors, mistakes...)
	}
	if err := p.errors.ErrorOrNil(); err != nil {
		return Set{}, err
	}
	return newSet(root, getenv)
}

// newSet converts a valid document to environments.
func newSet(root *yamldoc.Node, getenv func(string) string) (Set, error) {
	s := Set{environments: map[string]Environment{}}
	for _, entry := range root.Member("environments").Members {
		e, err := Environment{
			Name:           entry.Key,
			BaseURL:        cmp.Or(textOf(entry.Value, "base_url"), defaultBaseURL),
			ProjectID:      textOf(entry.Value, "project_id"),
			OrganizationID: textOf(entry.Value, "organization_id"),
			APIKeyVariable: cmp.Or(textOf(entry.Value, "api_key_variable"), defaultKeyVariable),
			Insecure:       textOf(entry.Value, "insecure") == "true",
		}.paced(getenv)
		if err != nil {
			return Set{}, err
		}
		s.names = append(s.names, entry.Key)
		s.environments[entry.Key] = e
	}

	s.Default = textOf(root, "default")
	if s.Default == "" && len(s.names) == 1 {
		s.Default = s.names[0]
	}
	return s, nil
}

// textOf returns a key's value as it is spelled in the file. It returns an empty string if the file omits
// the key.
func textOf(mapping *yamldoc.Node, key string) string {
	if node := mapping.Member(key); node != nil && node.Value != nil {
		return node.Text
	}
	return ""
}

// parser collects the errors in a file.
type parser struct{ errors yamldoc.Errors }

func (p *parser) failf(line int, format string, args ...any) {
	p.errors = append(p.errors, yamldoc.Errorf(line, format, args...))
}

func (p *parser) document(root *yamldoc.Node) {
	p.checkKeys(root, "the file", documentKeys, yamldoc.IsShared)
	for _, member := range root.Members {
		if yamldoc.IsShared(member.Key) {
			p.checkShared(member.Value)
		}
	}

	environments := root.Member("environments")
	switch {
	case environments == nil && len(p.errors) > 0: // the key is misspelled in the file
		return
	case environments == nil || environments.Kind == yamldoc.Scalar && environments.Value == nil || environments.Kind == yamldoc.Mapping && len(environments.Members) == 0:
		p.failf(root.Line, "the file does not define any environments")
		return
	case environments.Kind != yamldoc.Mapping:
		p.failf(environments.Line, "environments must be a mapping")
		return
	}
	var names []string
	for _, entry := range environments.Members {
		names = append(names, entry.Key)
		p.entry(entry.Key, entry.Value)
	}

	if node := root.Member("default"); node != nil && node.Kind != yamldoc.Scalar {
		p.failf(node.Line, "default must be the name of an environment")
	} else if node != nil && node.Value != nil && !slices.Contains(names, node.Text) {
		p.failf(node.Line, "default is %q, but environments contains %s%s", node.Text, strings.Join(names, ", "), suggestion(node.Text, names))
	}
}

// checkShared reports API keys in shared values.
func (p *parser) checkShared(node *yamldoc.Node) {
	if apiKey.MatchString(node.Text) {
		p.failf(node.Line, "the value looks like an API key, which does not belong in this file; "+
			"put the key into an environment variable, and set api_key_variable to the name of the variable")
	}
	for _, element := range node.Elements {
		p.checkShared(element)
	}
	for _, member := range node.Members {
		p.checkShared(member.Value)
	}
}

// entry reports unknown settings and API keys in an environment.
func (p *parser) entry(name string, settings *yamldoc.Node) {
	if settings.Kind != yamldoc.Mapping {
		p.failf(settings.Line, "environment %q must be a mapping", name)
		return
	}
	p.checkKeys(settings, fmt.Sprintf("environment %q", name), entryKeys, func(string) bool { return false })
	for _, setting := range settings.Members {
		if slices.Contains(entryKeys, setting.Key) {
			p.setting(name, setting.Key, setting.Value)
		}
	}

	base := settings.Member("base_url")
	if base != nil && client.IsPlainHTTP(base.Text) && textOf(settings, "insecure") != "true" {
		p.failf(base.Line, "base_url of environment %q uses plain HTTP, which sends the API key unencrypted. Use https, or add insecure: true", name)
	}
	if settings.Member("project_id") == nil && settings.Member("organization_id") == nil {
		p.failf(settings.Line, "environment %q has neither project_id (for surveys) nor organization_id (for import apps)", name)
	}
}

// setting checks the value of an environment's setting.
func (p *parser) setting(environment, key string, given *yamldoc.Node) {
	_, isBool := given.Value.(bool)
	switch {
	case given.Kind != yamldoc.Scalar || given.Value == nil:
		p.failf(given.Line, "%s of environment %q must be a string", key, environment)
	case apiKey.MatchString(given.Text):
		p.failf(given.Line, "%s of environment %q looks like an API key, which does not belong in this file; "+
			"put the key into an environment variable, and set api_key_variable to the name of the variable", key, environment)
	case key == "insecure" && !isBool:
		p.failf(given.Line, "insecure of environment %q must be true or false", environment)
	case key == "api_key_variable" && !variableName.MatchString(given.Text):
		p.failf(given.Line, "api_key_variable of environment %q is not the name of an environment variable", environment)
	}
}

// secretKeys lists setting names that users may use for an API key by mistake.
var secretKeys = []string{"api_key", "apikey", "key", "token", "secret", "personal_api_key"}

// checkKeys reports a mapping's unknown keys, unless isFree accepts them.
func (p *parser) checkKeys(mapping *yamldoc.Node, where string, known []string, isFree func(key string) bool) {
	for _, member := range mapping.Members {
		switch {
		case slices.Contains(known, member.Key) || isFree(member.Key):
		case slices.Contains(secretKeys, strings.ToLower(member.Key)):
			p.failf(member.Line, "%s has %q: keys do not belong in this file; put the key into an environment variable "+
				"and set api_key_variable to the name of the variable", where, member.Key)
		default:
			p.failf(member.Line, "%s has an unknown key %q%s", where, member.Key, suggestion(member.Key, known))
		}
	}
}
