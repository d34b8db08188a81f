package fastpath

import (
	"encoding/json"
	"strings"
)

// SeenKey is the key of the private state under which the fast path keeps what a read
// found: a hash of the service's response, of the state that it led to, and of the rest of
// the private state. A read that finds the same again leads to the same state again.
const SeenKey = "seen"

// PrivateState is the private state of an object as the framework encodes it: JSON by
// key.
type PrivateState map[string][]byte

// decodePrivateState decodes private state. It reports false for one in which the
// framework keeps something for itself, under a key that begins with a dot: the framework
// has to look at it.
func decodePrivateState(data []byte) (PrivateState, bool) {
	p := PrivateState{}
	if len(data) > 0 && json.Unmarshal(data, &p) != nil {
		return nil, false
	}

	for key := range p {
		if strings.HasPrefix(key, ".") {
			return nil, false
		}
	}
	return p, true
}

// seen returns the hash of what the last read found, "" for none.
func (p PrivateState) seen() string {
	var hash string
	if json.Unmarshal(p[SeenKey], &hash) != nil {
		return ""
	}
	return hash
}
