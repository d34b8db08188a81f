package diagnose

import (
	"errors"
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// afterCreate is the next step after a create with an unknown outcome or a conflict, and
// after any operation that timed out; empty for any other error.
func (a Attempt) afterCreate(err error) string {
	var ambiguous *client.AmbiguousCreateError
	var conflict *client.ConflictError
	budget, outOfTime := client.OutOfTime(err)
	switch {
	case errors.As(err, &ambiguous) && outOfTime:
		return a.afterAmbiguous(ambiguous) + "\n\n" + moreTime(budget, 0)
	case errors.As(err, &ambiguous):
		return a.afterAmbiguous(ambiguous)
	case outOfTime:
		return a.afterTimeout(budget, err)
	case errors.As(err, &conflict) && conflict.Own:
		return "Two resources of this configuration ask for the same one: give one of them another name or address, or remove it."
	case errors.As(err, &conflict) && conflict.ID != "":
		return "Give it another name or address, or take over the existing one:\n\n" + a.importBlock(conflict.ID) + "\n\n" + a.managedAlready()
	}
	return ""
}

// afterAmbiguous says what to do about a create that may have been carried out.
func (a Attempt) afterAmbiguous(err *client.AmbiguousCreateError) string {
	switch {
	case len(err.Found) > 0:
		return "If the one that was found is the one to manage, take it over; if it is left over, delete it, and run the same command again:\n\n" +
			a.importBlock(err.Found...)
	case err.Hidden:
		return "Look for it in the web interface, and delete it there if it was created. Then run the same command again."
	case err.MayDuplicate:
		return "Run the same command again, but look first in the web interface whether the " + a.Noun + " was created after all: " +
			"the service does not refuse a second one of the same name. One that is there can be deleted, or taken over with an import block."
	}
	return "Run the same command again: it creates the " + a.Noun + ", or names the id of the one that was created after all."
}

// managedAlready says what to do if the configuration already manages the object with the
// name, where an import block does not help.
func (a Attempt) managedAlready() string {
	if a.Verb == "update" {
		return "If this configuration manages the one that has the name, as when two swap their names, apply in two steps: " +
			"first give one of them a name that is free, then the names that both should have."
	}
	return "If this configuration manages the one that has it, do not import it: with create_before_destroy the new one is created while " +
		"the old one still has the name, so remove create_before_destroy from its lifecycle block; and where one " + a.Noun +
		" takes over the name of another, rename or destroy that one first, in an apply of its own."
}

// importBlock is an import block for an object, or for one of several ids.
func (a Attempt) importBlock(ids ...string) string {
	_, parent, _ := strings.Cut(a.Parent, " ")
	var lines []string
	for _, id := range ids {
		lines = append(lines, fmt.Sprintf("  id = %q", parent+"/"+id))
	}
	return fmt.Sprintf("import {\n  to = %s.example # the address of this resource\n%s\n}", a.Type, strings.Join(lines, " # or\n"))
}
