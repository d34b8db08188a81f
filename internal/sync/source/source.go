// Package side loads what posthog-sync compares: the live objects of an environment, a
// snapshot, the state of a directory, its configuration, or a plan. All become the same
// objects, with the attributes of the provider. Package reconcile compares them.
//
// It says where they come from, too: which service, project and organization an environment
// is, what a snapshot holds, and what Terraform or OpenTofu plan with the provider of this
// build. It sends no request of its own.
package source

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// Form is where the objects of a side come from.
type Form string

// The forms of a side.
const (
	// Live is the service, as an environment sees it.
	Live Form = "live"
	// File is a snapshot, or YAML that is written by hand.
	File Form = "file"
	// State is the Terraform state of a directory.
	State Form = "tf"
	// Code is the configuration of a directory: the values after a plan.
	Code Form = "code"
	// Plan is a saved plan, or its JSON.
	Plan Form = "plan"
)

var forms = []Form{Live, File, State, Code, Plan}

// Source names a side on the command line.
type Source struct {
	Form Form
	// Argument is the environment of a live side, empty for the default one, or the path of
	// any other side.
	Argument string
}

// Parse reads live, live:NAME, file:PATH, tf:DIR, code:DIR or plan:FILE.
func Parse(text string) (Source, error) {
	name, argument, given := strings.Cut(text, ":")
	s := Source{Form(name), argument}
	switch {
	case !slices.Contains(forms, s.Form):
		return Source{}, fmt.Errorf("%q is not a side: it must be live, live:NAME, file:PATH, tf:DIR, code:DIR or plan:FILE", text)
	case given && argument == "":
		return Source{}, fmt.Errorf("%q is not a side: there is nothing after the colon", text)
	case s.Form != Live && argument == "":
		return Source{}, fmt.Errorf("%q is not a side: it needs a path, such as %s:%s", text, s.Form, examples[s.Form])
	}
	return s, nil
}

var examples = map[Form]string{File: "snapshot.json", State: ".", Code: ".", Plan: "plan.tfplan"}

// String is the side as it is written on the command line.
func (s Source) String() string {
	if s.Argument == "" {
		return string(s.Form)
	}
	return string(s.Form) + ":" + s.Argument
}

// IsWritten reports whether the side is a file that people write, and no snapshot.
func (s Source) IsWritten() bool {
	return s.Form == File && slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(filepath.Ext(s.Argument)))
}

// Kind is the kind of an object.
type Kind string

// The kinds of objects.
const (
	Survey Kind = "survey"
	App    Kind = "pipeline_import_app"
)

// resourceType is the Terraform type of a kind.
func (k Kind) resourceType() string { return "posthog_" + string(k) }

// Object is a survey or an import app of a side.
type Object struct {
	Kind Kind
	// ID is empty for a planned object that does not exist yet.
	ID, Name string
	// ParentID is the project of a survey or the organization of an import app; empty
	// when it is not known.
	ParentID string
	// Address is the address of the resource in Terraform; empty for live objects and
	// snapshots.
	Address string
	// Attributes are the attributes of the resource that the service returns, as
	// encoding/json decodes them with numbers as json.Number. JSON attributes are decoded,
	// so that a difference in them has a path. Null and unknown values are left out. A value
	// that Terraform marks as sensitive is a [Secret].
	Attributes map[string]any
	// Unknown are the attributes without a known value: those known only after apply, and
	// those that a response lacks.
	Unknown []string
	// Service is the base URL of the service of a live object; empty for others.
	Service string
	// SurveyResponse or AppResponse is the response of the service; both are nil for objects
	// that come from Terraform.
	SurveyResponse *api.Survey
	AppResponse    *api.PipelineImportApp

	// Stated is a survey of a file that is written by hand; nil for others.
	Stated *Stated

	// shelved are the attributes and the response of a survey that is on the shelf.
	shelved []byte
}
