package testserver

import (
	"encoding/json"

	"github.com/google/uuid"
)

// response counts answers to a survey, which may be gone by now.
type response struct {
	survey  uuid.UUID
	project int64
	count   int64
	// at is a JSON string or null.
	at json.RawMessage
	// archived ones are only counted when that is not ruled out.
	archived bool
	// submission is the id that partial answers of one person share; empty for none.
	submission string
}
