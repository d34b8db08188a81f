package reconcile

import (
	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

// MatchBy is how the objects of two sides are paired.
type MatchBy string

// The ways to pair objects.
const (
	// ByName pairs objects of one kind and name.
	ByName MatchBy = "name"
	// ByID pairs objects of one id, and others by name; for two sides of one project.
	ByID MatchBy = "id"
)

// Deletion is what becomes of objects that A lacks.
type Deletion string

// The ways to treat objects that A lacks.
const (
	// KeepExtra leaves them alone.
	KeepExtra Deletion = ""
	// DeleteUnanswered deletes them, but no survey with responses.
	DeleteUnanswered Deletion = "unanswered"
	// DeleteWithResponses deletes them.
	DeleteWithResponses Deletion = "with-responses"
)

// ObjectKey names an object of one side.
type ObjectKey struct {
	Kind side.Kind
	ID   string
}

// Options are what a plan depends on besides the two sides.
type Options struct {
	Match MatchBy
	// Selects reports whether objects of a name take part; nil: all.
	Selects func(name string) bool
	// KeepSchedule carries start and end dates over.
	KeepSchedule bool
	// ProjectID and OrganizationID are those of B.
	ProjectID, OrganizationID string
	// SameProject says that the surveys of both sides belong to one project.
	SameProject bool
	// Flags are ids in B by the keys of A, FlagKeys the keys of these flags in B, Actions and
	// Cohorts ids in B by those in A.
	Flags            map[string]int64
	FlagKeys         map[string]string
	Actions, Cohorts map[int64]int64
	// Delete and Archive say what becomes of objects that A lacks, of at most MaxDeletes.
	Delete     Deletion
	Archive    bool
	MaxDeletes int
	// Responses are the numbers of responses of B by survey id; nil when they cannot be
	// read. ResponsesReason says why.
	Responses       map[string]int64
	ResponsesReason string
	// Managed says for objects of B where a Terraform state manages them.
	Managed map[ObjectKey]string
	// HidesApps says that the service of B hides apps whose capabilities do not say that they
	// import.
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
