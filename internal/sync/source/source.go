// Package source defines the sources that posthog-sync reads, such as live or file:PATH. It also defines the
// common form of their objects: surveys and import apps with the provider's attributes. Package tfplan reads
// plans and states, and packages snapshot and surveyfile read files. Package source sends no requests and
// reads no files. Start reading at [Source] and [Object].
package source

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Form is the type of a source.
type Form string

// Forms of sources.
const (
	// Live is a project and an organization in PostHog, which an environment describes.
	Live Form = "live"
	// File is a snapshot or a hand-written YAML file.
	File Form = "file"
	// State is a directory's Terraform state.
	State Form = "tf"
	// Code is the configuration in a directory. A plan provides its values.
	Code Form = "code"
	// Plan is a saved plan, or a plan in JSON.
	Plan Form = "plan"
)

var forms = []Form{Live, File, State, Code, Plan}

// Source identifies a source on the command line.
type Source struct {
	Form Form
	// Argument is the environment of a live source, or empty for the default environment. For other
	// sources, it is a path.
	Argument string
}

// Parse parses live, live:NAME, file:PATH, tf:DIR, code:DIR, or plan:FILE.
func Parse(text string) (Source, error) {
	name, argument, given := strings.Cut(text, ":")
	s := Source{Form(name), argument}
	switch {
	case !slices.Contains(forms, s.Form):
		return Source{}, fmt.Errorf("unknown source %q. Use live, live:NAME, file:PATH, tf:DIR, code:DIR, or plan:FILE", text)
	case given && argument == "":
		return Source{}, fmt.Errorf("source %q is incomplete. Add a value after the colon", text)
	case s.Form != Live && argument == "":
		return Source{}, fmt.Errorf("source %q requires a path, such as %s:%s", text, s.Form, examples[s.Form])
	}
	return s, nil
}

var examples = map[Form]string{File: "snapshot.json", State: ".", Code: ".", Plan: "plan.tfplan"}

// String formats the source as on the command line.
func (s Source) String() string {
	if s.Argument == "" {
		return string(s.Form)
	}
	return string(s.Form) + ":" + s.Argument
}

// IsWritten reports whether the source is a hand-written file, not a snapshot.
func (s Source) IsWritten() bool {
	return s.Form == File && slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(filepath.Ext(s.Argument)))
}
