package export

import (
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// RefusalCode says why an export is refused.
type RefusalCode string

// The codes of refusals.
const (
	// OtherParent is a directory with the objects of another project or organization.
	OtherParent RefusalCode = "other_parent"
	// ImportedElsewhere is an object that another file imports.
	ImportedElsewhere RefusalCode = "imported_elsewhere"
	// DeclaredElsewhere is an address that another file declares.
	DeclaredElsewhere RefusalCode = "declared_elsewhere"
	// NotExported is a file in the way that no export wrote.
	NotExported RefusalCode = "not_exported"
)

// RefusalCodes are all codes.
func RefusalCodes() []RefusalCode {
	return []RefusalCode{OtherParent, ImportedElsewhere, DeclaredElsewhere, NotExported}
}

// Refusal is the error of an export that would destroy something. Nothing was written.
type Refusal struct {
	Code RefusalCode
	// File is the file in the way.
	File string
	// Address is the resource that it declares, or would be declared twice.
	Address hclfile.Address
	// ID is the id of the object that it imports.
	ID string
	// Holds is the project or organization whose objects it has, Exports that of this export.
	Holds, Exports string
}

// Error implements error, for logs: the caller has better words.
func (r *Refusal) Error() string { return fmt.Sprintf("export refused by %s: %s", r.File, r.Code) }
