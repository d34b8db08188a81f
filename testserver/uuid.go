package testserver

import (
	"encoding/hex"

	"github.com/google/uuid"
)

func appendUUID(b []byte, id uuid.UUID) []byte {
	b = append(b, '"')
	b = hex.AppendEncode(b, id[:4])
	for _, part := range [][]byte{id[4:6], id[6:8], id[8:10], id[10:]} {
		b = hex.AppendEncode(append(b, '-'), part)
	}
	return append(b, '"')
}

// randomUUID is the next id of the source, marked as version 4.
func randomUUID(ids func() uuid.UUID) uuid.UUID {
	id := ids()
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}
