package store

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// LogEntry is an entry in the activity log of a project's surveys. It outlives the survey.
type LogEntry struct {
	ID uuid.UUID
	// Author is the user, 0 for the service itself.
	Author   int64
	Activity string
	Item     uuid.UUID
	// Name is the name of the survey at that time.
	Name string
	// Changes is a JSON array; null where nothing was changed.
	Changes json.RawMessage
	At      time.Time
}
