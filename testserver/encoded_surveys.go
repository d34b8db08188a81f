package testserver

import (
	"sync"
	"sync/atomic"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// maxEncoded is the total size of the encoded surveys that are kept, in bytes.
const maxEncoded = 8 << 20

// encodedSurveys is a cache of the responses that retrieve a survey. It is emptied when
// anything in the store changes, since flags and users are part of the responses. The journal
// shares the bytes, which must not be changed.
type encodedSurveys struct {
	bySurvey sync.Map
	size     atomic.Int64
}

// find returns the response for a survey, nil when it is not kept.
func (e *encodedSurveys) find(s *store.Survey) []byte {
	value, _ := e.bySurvey.Load(s)
	answer, _ := value.([]byte)
	return answer
}

// keep keeps the response for a survey, as long as there is space.
func (e *encodedSurveys) keep(s *store.Survey, answer []byte) {
	if e.size.Add(int64(len(answer))) <= maxEncoded {
		e.bySurvey.Store(s, answer)
	}
}

// forget drops all responses. The caller holds the lock of the store.
func (e *encodedSurveys) forget() {
	if e.size.Load() > 0 {
		e.bySurvey.Clear()
		e.size.Store(0)
	}
}
