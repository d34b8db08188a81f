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

// The name ledger detects replacements. Terraform plans a replacement that the user requested
// (-replace, taint, or replace_triggered_by) as the create of a survey without a prior state. It
// plans a changed resource address as an unrelated destroy and create, in any order. But names are
// unique in a project. If a run creates a survey under the name of a survey that it has read,
// planned, or destroyed, the new survey replaces the old one.
//
// A run is the lifetime of one configured provider. Plan and apply are separate runs, and Terraform
// plans each create again during the apply. The file replacement.go decides what to do about a
// reused name.

// nameInProject identifies a survey by project and name.
type nameInProject struct{ project, name string }

func newNameInProject(project, name string) nameInProject {
	return nameInProject{project, strings.TrimSpace(name)} // PostHog ignores surrounding white space
}

// fate is what a run does to an existing survey, if known.
type fate int

const (
	fateUnknown fate = iota // no plan has been made for it
	fateKept                // the plan keeps it
	fateDestroyed
)

// nameUse describes how a run uses a name.
type nameUse struct {
	// holder is the existing survey with this name, or nil if none is known.
	holder *existingSurvey
	fate   fate
	// creates are the planned surveys that have not been created yet.
	creates []survey.Fields
	// isReported is set when the plan has reported the replacement of holder.
	isReported bool

	// deletion is closed when the current deletion ends. It is nil if no deletion is running.
	deletion chan struct{}
	// isDeleted is set after a deletion, and isRefused after a create that failed because the name
	// was taken.
	isDeleted, isRefused bool
}

// nameLedger records the names that a run uses.
type nameLedger struct {
	mu   sync.Mutex
	uses map[nameInProject]*nameUse
	// renames maps survey IDs to their planned renames.
	renames map[string]rename
}

// ledgerKey is the key for the ledger in [framework.Data.Existing].
type ledgerKey struct{}

// runLedger returns a run's ledger. Before the provider is configured, it returns a new ledger for
// each call.
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

// use calls do with the use of a name while it holds the lock.
func (l *nameLedger) use(name nameInProject, do func(*nameUse)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.uses[name] == nil {
		l.uses[name] = &nameUse{}
	}
	do(l.uses[name])
}

// remember records an existing survey, which a create may replace.
func remember(data *framework.Data, d existingSurvey, f fate) {
	ledger := runLedger(data)
	ledger.use(newNameInProject(d.project, d.name), func(u *nameUse) {
		if f != fateUnknown {
			delete(ledger.renames, d.id)
		}
		if f == fateUnknown && u.holder != nil && u.holder.id == d.id {
			f = u.fate // Terraform may plan before it reads
		}
		u.holder, u.fate = &d, f
	})
}

// forget removes the record of a survey that is gone or renamed, because a create under its name
// does not replace it. Terraform may have planned the survey, and so recorded it, before the read.
func forget(data *framework.Data, gone survey.Fields) {
	runLedger(data).use(newNameInProject(gone.ProjectID.ValueString(), gone.Name.ValueString()), func(u *nameUse) {
		if u.holder != nil && u.holder.id == gone.ID.ValueString() {
			u.holder, u.fate = nil, fateUnknown
		}
	})
}

// rememberObject is like [remember], for a state that the fast path does not decode.
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

// beginDelete records the start of a deletion. It returns false if the deletion must not happen,
// because the create that replaces the survey has failed, or is certain to fail. end records the
// result.
func (l *nameLedger) beginDelete(d existingSurvey) (end func(isDeleted bool), ok bool) {
	name := newNameInProject(d.project, d.name)
	done := make(chan struct{})
	l.use(name, func(u *nameUse) {
		ok = !u.isRefused && (d.isDeleted() || len(u.creates) == 0)
		u.isRefused = false // the same process may be asked to delete it again
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

// isFree waits until the deletion of the survey that holds a name ends, and reports whether the
// name is free. If the name is not free, the ledger refuses a later deletion, because the survey
// would be deleted without a replacement.
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

// dropCreates removes the planned creates under a name after one of them has succeeded or failed.
func (l *nameLedger) dropCreates(name nameInProject) {
	l.use(name, func(u *nameUse) { u.creates = nil })
}

// isFreed reports whether the run is known to free the name of the survey with an ID, by renaming, deleting, or
// replacing the survey.
func (l *nameLedger) isFreed(id string, name nameInProject) (isFreed bool) {
	l.use(name, func(u *nameUse) {
		_, isRenamed := l.renames[id]
		isHolder := u.holder != nil && u.holder.id == id && u.fate != fateKept
		isFreed = isRenamed || u.isDeleted || u.deletion != nil || isHolder
	})
	return isFreed
}
