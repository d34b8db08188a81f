package reconcile

import (
	"context"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// MatchBy is how the objects of two sides are paired.
type MatchBy string

// The ways to pair objects.
const (
	// ByName pairs objects with the same kind and name.
	ByName MatchBy = "name"
	// ByID pairs objects with the same id, and the rest by name; for two sides of one project.
	ByID MatchBy = "id"
)

// Deletion says which of the objects that A lacks are deleted.
type Deletion string

// The values of Deletion.
const (
	// KeepExtra deletes none.
	KeepExtra Deletion = ""
	// DeleteUnanswered deletes all but surveys with responses.
	DeleteUnanswered Deletion = "unanswered"
	// DeleteWithResponses deletes all.
	DeleteWithResponses Deletion = "with-responses"
)

// ObjectKey identifies an object of one side.
type ObjectKey struct {
	Kind side.Kind
	ID   string
}

// Options are the options of NewPlan.
type Options struct {
	// A and B are the names of the two sides, for sentences.
	A, B  string
	Match MatchBy
	// Selects reports whether objects with a name are part of the plan; nil selects all.
	Selects func(name string) bool
	// KeepSchedule copies start and end dates.
	KeepSchedule bool
	// ProjectID and OrganizationID are those of B.
	ProjectID, OrganizationID string
	// SameProject is set when the surveys of both sides belong to the same project.
	SameProject bool
	// Flags are the ids in B of feature flags by their keys in A, FlagKeys the keys in B by
	// those in A.
	Flags    map[string]int64
	FlagKeys map[string]string
	// Actions and Cohorts are ids in B by ids in A.
	Actions, Cohorts map[int64]int64
	// FlagIDs are ids in B of the flags that targeting depends on, by their ids in A.
	FlagIDs map[int64]int64
	// Delete and Archive say what becomes of objects that A lacks. With more than MaxDeletes
	// such objects none is deleted or archived.
	Delete     Deletion
	Archive    bool
	MaxDeletes int
	// AllowCutAnswers is set when updates may drop questions of surveys with responses.
	AllowCutAnswers bool
	// Responses tells how many responses a survey of B has. It may make requests.
	Responses func(ctx context.Context, id string) responses.Number
	// Managed are the objects of B that a Terraform state manages, with the place to name.
	Managed map[ObjectKey]string
	// HidesApps is set when the service of B hides apps whose capabilities do not include
	// imports.
	HidesApps bool
	// NewID returns the id of a new question.
	NewID func() string
}

func (o Options) selects(name string) bool { return o.Selects == nil || o.Selects(name) }

// parent is the project or the organization of the objects of a kind in B.
func (o Options) parent(kind side.Kind) string {
	if kind == side.App {
		return o.OrganizationID
	}
	return o.ProjectID
}
