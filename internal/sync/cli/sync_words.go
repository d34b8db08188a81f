package cli

import (
	"errors"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
)

// reasonText words a reason for the sides A and B; empty for none.
func reasonText(r reconcile.Reason, a, b string) string {
	words := reasonWords[r.Code]
	if words == nil {
		return ""
	}
	return words(reasonOf{r, a, b})
}

// reasonOf is a reason with the names of the two sides.
type reasonOf struct {
	reconcile.Reason
	a, b string
}

// reasonWords say why something is not done, and which flag allows it.
var reasonWords = map[reconcile.ReasonCode]func(reasonOf) string{
	reconcile.OwnedElsewhere: func(r reasonOf) string { return "it belongs to organization " + r.Organization },
	reconcile.DesiredOwnedElsewhere: func(r reasonOf) string {
		return fmt.Sprintf("in %s it belongs to organization %s", r.a, r.Organization)
	},
	reconcile.NothingWritable: func(reasonOf) string { return "it differs only in values that sync does not change" },
	reconcile.OnlyInB:         func(r reasonOf) string { return fmt.Sprintf("only %s has it", r.b) },
	reconcile.ArchivedInB:     func(r reasonOf) string { return fmt.Sprintf("only %s has it, and it is archived", r.b) },

	reconcile.WouldBeHidden: func(r reasonOf) string {
		return fmt.Sprintf("the service would hide it because of its capabilities, and every sync would create it again: leave it out with --exclude %q", r.Name)
	},
	reconcile.ManagedByState: func(r reasonOf) string {
		return fmt.Sprintf("managed by Terraform as %s: change the code instead, or leave it out with --exclude %q", r.Where, r.Name)
	},
	reconcile.Invalid: func(r reasonOf) string { return r.Err.Error() },
	reconcile.HasResponses: func(r reasonOf) string {
		return fmt.Sprintf("it has %s responses, which would be lost: %s deletes it anyway, --archive keeps them", r.Number, deleteAnyway)
	},
	reconcile.MayHaveResponses: func(r reasonOf) string {
		return fmt.Sprintf("whether it has responses is not known: %s. %s deletes it anyway, --archive keeps them", r.Number.Reason, deleteAnyway)
	},
	reconcile.CutsAnswers:   func(reasonOf) string { return "it would cut off answers: --allow-cut-answers does it anyway" },
	reconcile.MayCutAnswers: func(reasonOf) string { return "it may cut off answers: --allow-cut-answers does it anyway" },
	reconcile.TooManyRemovals: func(r reasonOf) string {
		return fmt.Sprintf("%d objects would be deleted or archived, and at most %d may be: --max-deletes %d allows it", r.Count, r.Limit, r.Count)
	},
	reconcile.NameTaken: func(r reasonOf) string {
		return fmt.Sprintf("the name %q is taken by survey %s, which keeps it", r.Name, r.ID)
	},

	reconcile.Interrupted: func(reasonOf) string { return "interrupted" },
	reconcile.WaitsForAnother: func(r reasonOf) string {
		return fmt.Sprintf("%s survey %q has to be done first; run again", r.Verb, r.Name)
	},
	reconcile.AfterFailure: func(reasonOf) string { return "nothing is deleted or archived after a failure; run again" },
	reconcile.ChangedSince: func(reasonOf) string { return "it was changed since this was planned; run again to see the difference" },
	reconcile.DeletedSince: func(reasonOf) string { return "it was deleted since this was planned; run again" },
	reconcile.CreatedSince: func(r reasonOf) string {
		return fmt.Sprintf("one of this name was created since this was planned, with id %s; run again to see the difference", r.ID)
	},
	reconcile.NameOrURLTakenSince: func(r reasonOf) string {
		return fmt.Sprintf("one of this name or address was created since this was planned, with id %s; run again to see the difference", r.ID)
	},
	reconcile.NameTakenSince: func(reasonOf) string { return "another survey has taken the name since this was planned; run again" },
	reconcile.RespondedSince: func(r reasonOf) string {
		return fmt.Sprintf("%d responses came in since this was planned", r.Count)
	},
	reconcile.HiddenOnceCreated: func(r reasonOf) string {
		return fmt.Sprintf("it was created with id %s, and the service hides it because of its capabilities: "+
			"delete it in the web interface, and leave it out with --exclude %q", r.ID, r.Name)
	},
	reconcile.RequestFailed: func(r reasonOf) string { return r.Err.Error() },
}

const deleteAnyway = "--allow-delete=" + string(reconcile.DeleteWithResponses)

// wordedPlanError words the error of a plan that cannot be made.
func wordedPlanError(err error) error {
	if twice, ok := errors.AsType[*reconcile.NameTwiceError](err); ok {
		return fmt.Errorf("two surveys of A are named %q: names have to be unique", twice.Name)
	}
	return err
}
