package source

import (
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// Kind is the kind of an object.
type Kind string

// The kinds of objects.
const (
	Survey Kind = "survey"
	App    Kind = "pipeline_import_app"
)

// ResourceType is the Terraform type of a kind.
func (k Kind) ResourceType() string { return "posthog_" + string(k) }

// IsID reports whether an id is one of the kind: a UUID of a survey, a number of an app.
func (k Kind) IsID(id string) bool {
	if k == App {
		_, err := strconv.ParseUint(id, 10, 63)
		return err == nil
	}
	return client.IsSurveyID(id)
}

// Object is a survey or an import app of a source.
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

// Stated is what a file that people write says of a survey. The rest is as it is.
type Stated struct {
	// Survey has the attributes, with null for those that are left out.
	Survey api.Survey
	// Status is empty where the file leaves it out.
	Status string
}
