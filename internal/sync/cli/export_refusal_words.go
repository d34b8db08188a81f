package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/export"
)

// refusalWords say why an export is refused, and which flag helps.
var refusalWords = map[export.RefusalCode]func(*export.Refusal) string{
	export.OtherParent: func(r *export.Refusal) string {
		return fmt.Sprintf("%s holds objects of %s, and this export is of %s: choose another directory, or replace them with --force", r.File, r.Holds, r.Exports)
	},
	export.ImportedElsewhere: func(r *export.Refusal) string {
		return fmt.Sprintf("%s imports %s %s already: leave out what other files manage with --only unmanaged", r.File, nounOf(r.Address.Type), r.ID)
	},
	export.DeclaredElsewhere: func(r *export.Refusal) string {
		return fmt.Sprintf("%s declares %s already: leave out what other files manage with --only unmanaged", r.File, r.Address)
	},
	export.NotExported: func(r *export.Refusal) string {
		return fmt.Sprintf("%s was not written by an export, so it is not overwritten: rename it, or choose another directory or --layout", r.File)
	},
}

// wordedRefusal words the refusal of an export. Other errors are returned as they are.
func wordedRefusal(err error) error {
	refusal, ok := errors.AsType[*export.Refusal](err)
	if !ok {
		return err
	}
	return &refusedError{refusalWords[refusal.Code](refusal)}
}

// nounOf is the noun for the objects of a resource type.
func nounOf(typ string) string {
	return strings.ReplaceAll(strings.TrimPrefix(typ, "posthog_"), "_", " ")
}
