package terraform

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// Terraform plans a replacement that the user asked for (-replace, taint,
// replace_triggered_by) as the create of a survey without a prior state, and the change of
// an address as a destroy and a create that have nothing to do with each other, in any
// order. But names are unique in a project: a create under the name of a survey that the
// same run has read, planned or destroyed takes that survey's place.
//
// A run is one configured provider: the plan is one, and the apply another, in which the CLI plans
// each create again. What follows from a name is decided in replacement.go.

// nameInProject identifies a survey by project and name.
type nameInProject struct{ project, name string }

func newNameInProject(project, name string) nameInProject {
	return nameInProject{project, strings.TrimSpace(name)} // as the service compares
}

// fate is what a run is known to do to an existing survey.
type fate int

const (
	fateUnknown fate = iota // nothing is known to become of it
	fateKept                // it is planned to be kept
	fateDestroyed
)

// nameUse is what one run does under a name.
type nameUse struct {
	// holder is the existing survey, nil if none is known.
	holder *existingSurvey
	fate   fate
	// creates are the planned ones that were not carried out yet.
	creates []survey.Fields
	// isReported is set when the plan has said what becomes of holder and creates.
	isReported bool

	// deletion is closed at the end of the deletion that is under way, nil while none is.
	deletion chan struct{}
	// isDeleted is set after a deletion, isRefused after a create that found the name taken.
	isDeleted, isRefused bool
}

// nameLedger has the names that a run uses.
type nameLedger struct {
	mu   sync.Mutex
	uses map[nameInProject]*nameUse
	// renames are the planned ones by the IDs of their surveys.
	renames map[string]rename
}

// ledgerKey is the key of the ledger in [framework.Data.Existing].
type ledgerKey struct{}

// runLedger is the ledger of a run; one that nobody else sees before the provider is
// configured.
func runLedger(data *framework.Data) *nameLedger {
	empty := &nameLedger{uses: map[nameInProject]*nameUse{}, renames: map[string]rename{}}
	if data == nil {
		return empty
	}
	stored, _ := data.Existing.LoadOrStore(ledgerKey{}, empty)
	if ledger, ok := stored.(*nameLedger); ok {
		return ledger
	}
	return empty
}

// use calls a function with the use of a name, which nothing else changes meanwhile.
func (l *nameLedger) use(name nameInProject, do func(*nameUse)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.uses[name] == nil {
		l.uses[name] = &nameUse{}
	}
	do(l.uses[name])
}

// remember records an existing survey, for a create that may take its place.
func remember(data *framework.Data, d existingSurvey, f fate) {
	ledger := runLedger(data)
	ledger.use(newNameInProject(d.project, d.name), func(u *nameUse) {
		if f != fateUnknown {
			delete(ledger.renames, d.id)
		}
		if f == fateUnknown && u.holder != nil && u.holder.id == d.id {
			f = u.fate // a CLI may plan before it reads
		}
		u.holder, u.fate = &d, f
	})
}

// forget drops the record of a survey that turns out to be gone or gets another name: a
// create with its name takes no place. A CLI that plans before it reads has recorded it.
func forget(data *framework.Data, gone survey.Fields) {
	runLedger(data).use(newNameInProject(gone.ProjectID.ValueString(), gone.Name.ValueString()), func(u *nameUse) {
		if u.holder != nil && u.holder.id == gone.ID.ValueString() {
			u.holder, u.fate = nil, fateUnknown
		}
	})
}

// rememberObject is remember for a state that the fast path does not decode.
func rememberObject(data *framework.Data, state fastpath.Object, isPlanned bool) {
	flag := state.Object("targeting_flag")
	f := fateUnknown
	if isPlanned {
		f = fateKept
	}
	remember(data, existingSurvey{
		id: state.String("id"), name: state.String("name"), project: state.String("project_id"),
		status: state.String("status"), policy: cmp.Or(state.String("deletion_policy"), surveyschema.PolicyDelete),
		flag: newTargetingFlag(state.Int64("targeting_flag_id"), flag.Int64("id"), flag.String("key")),
	}, f)
}

// beginDelete records that a survey is being deleted; false if that must not be, since the
// create that takes its place has failed, or is certain to. end records how it ended.
func (l *nameLedger) beginDelete(d existingSurvey) (end func(isDeleted bool), ok bool) {
	name := newNameInProject(d.project, d.name)
	done := make(chan struct{})
	l.use(name, func(u *nameUse) {
		ok = !u.isRefused && (d.isDeleted() || len(u.creates) == 0)
		u.isRefused = false // a process that goes on may be told to delete it again
		if ok {
			u.deletion, u.isDeleted = done, false
		}
	})

	return func(isDeleted bool) {
		l.use(name, func(u *nameUse) {
			u.deletion, u.isDeleted = nil, isDeleted
			if isDeleted {
				u.holder, u.fate = nil, fateUnknown
			}
		})
		close(done)
	}, ok
}

// isFree waits for the end of the deletion of the survey whose name a create found taken, and
// reports whether the name is free then. If it is not, no deletion is begun after it: the survey
// would be lost without the one that takes its place.
func (l *nameLedger) isFree(ctx context.Context, name nameInProject) bool {
	var deletion chan struct{}
	l.use(name, func(u *nameUse) { deletion = u.deletion })
	if deletion != nil {
		select {
		case <-deletion:
		case <-ctx.Done():
		}
	}

	isFree := false
	l.use(name, func(u *nameUse) {
		isFree = u.isDeleted
		u.isDeleted, u.isRefused = false, !isFree
	})
	return isFree
}

// dropCreates drops the creates that are planned under a name, after one was carried out or has failed.
func (l *nameLedger) dropCreates(name nameInProject) {
	l.use(name, func(u *nameUse) { u.creates = nil })
}
