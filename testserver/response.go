package testserver

import (
	"encoding/json"

	"github.com/google/uuid"
)

// response counts responses to a survey, which may be deleted by now.
type response struct {
	survey  uuid.UUID
	project int64
	count   int64
	// at is a JSON string or null.
	at json.RawMessage
	// archived is set for responses that are counted only on request.
	archived bool
	// submission is the id that partial answers of one person share; empty for none.
	submission string
}
