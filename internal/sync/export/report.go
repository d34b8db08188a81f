package export

// Report is the result of an export.
type Report struct {
	Directory string `json:"directory"`
	Files     []File `json:"files"`
	Surveys   int    `json:"surveys"`
	Apps      int    `json:"pipeline_import_apps"`
	// Kept is the number of objects whose blocks of an earlier export stay as they are,
	// Skipped that of objects which something else manages.
	Kept    int `json:"kept"`
	Skipped int `json:"left_out"`
	// Gone is the number of objects of an earlier export that the service no longer has.
	Gone int `json:"gone"`
	// Moved are the resources with a new address.
	Moved []Move `json:"moved"`
	// Withheld are the defaults of secret fields that were not written.
	Withheld []Withheld `json:"withheld,omitempty"`
}

// Withheld is a field of the config_schema of an import app, whose default is secret.
type Withheld struct {
	App   string `json:"app"`
	Field string `json:"field"`
}

// Status is what became of a file.
type Status string

// The values of Status.
const (
	// Written files are new, or have another content than before.
	Written Status = "written"
	// Unchanged files have the right content already.
	Unchanged Status = "unchanged"
	// Removed files are no longer needed.
	Removed Status = "removed"
	// Edited files were edited since the last export, and are left to their editor.
	Edited Status = "edited"
)

// File is one file of an export.
type File struct {
	Path   string `json:"path"`
	Status Status `json:"status"`
}

// Move is a resource whose address changed since the last export.
type Move struct {
	From string `json:"from"`
	To   string `json:"to"`
}
