package testserver

import (
	"sync"
	"sync/atomic"
)

// maxEncoded is the size of all encoded surveys that are kept, in bytes.
const maxEncoded = 8 << 20

// encodedSurveys are answers that retrieve surveys, until something changes: flags and
// users are in them too. The journal keeps the same bytes, so they take little memory, and
// nobody may change them.
type encodedSurveys struct {
	bySurvey sync.Map
	size     atomic.Int64
}

// find returns the answer about a survey, nil when it is not kept.
func (e *encodedSurveys) find(s *survey) []byte {
	found, _ := e.bySurvey.Load(s)
	answer, _ := found.([]byte)
	return answer
}

// keep keeps the answer about a survey, if there is space for it.
func (e *encodedSurveys) keep(s *survey, answer []byte) {
	if e.size.Add(int64(len(answer))) <= maxEncoded {
		e.bySurvey.Store(s, answer)
	}
}

// forget gives up all answers; no one may look for one at the same time.
func (e *encodedSurveys) forget() {
	if e.size.Load() > 0 {
		e.bySurvey.Clear()
		e.size.Store(0)
	}
}
