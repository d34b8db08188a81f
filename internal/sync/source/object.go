package source

import (
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Kind is the kind of an object.
type Kind string

// Kinds of objects.
const (
	Survey Kind = "survey"
	App    Kind = "pipeline_import_app"
)

// ResourceType returns a kind's Terraform type.
func (k Kind) ResourceType() string { return "posthog_" + string(k) }

// IsID reports whether id is valid for the kind: a UUID for a survey, or a number for an app.
func (k Kind) IsID(id string) bool {
	if k == App {
		_, err := strconv.ParseUint(id, 10, 63)
		return err == nil
	}
	return client.IsSurveyID(id)
}

// Object is a survey or an import app in a source.
type Object struct {
	Kind Kind
	// ID is empty for a planned object that does not exist yet.
	ID, Name string
	// ParentID is the survey's project, or the import app's organization. It is empty if it is unknown.
	ParentID string
	// Address is the Terraform address of the resource. It is empty for live objects and snapshots.
	Address string
	// Attributes contains the resource attributes that PostHog stores, as encoding/json decodes them, with
	// numbers as json.Number. JSON attributes are decoded, so that differences in them have paths. Null and
	// unknown values are omitted. A value that Terraform marks as sensitive is a [Secret].
	Attributes map[string]any
	// Unknown contains the attributes with unknown values: Terraform knows them only after apply, or the
	// response does not contain them.
	Unknown []string
	// Service is PostHog's base URL. It is empty for objects that are not live.
	Service string
	// SurveyResponse or AppResponse contains PostHog's response. Both are nil for objects from Terraform.
	SurveyResponse *api.Survey
	AppResponse    *api.PipelineImportApp

	// Replaced contains the questions of a live survey that had an ID from a hand-written file before a save. It is nil
	// for other objects.
	Replaced identity.ReplacedIDs

	// Stated contains the values of a survey from a hand-written file. It is nil for other objects.
	Stated *Stated

	// shelved is the encoded form of a shelved survey's attributes and response.
	shelved []byte
}

// Stated contains the values that a hand-written file sets for a survey. A sync keeps all other values.
type Stated struct {
	// Survey contains the attributes. Attributes that the file omits are null.
	Survey api.Survey
	// Status is empty if the file omits the status.
	Status string
}
