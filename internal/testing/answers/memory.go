package answers

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// Memory is PostHog as the adapter of a pure function uses it: a list in memory.
type Memory struct {
	// Live is the list that PostHog holds.
	Live []Question

	given int
}

// HasState implements [Adapter].
func (m *Memory) HasState() bool { return true }

// Save implements [Adapter].
func (m *Memory) Save(_ *rapid.T, questions []Question) {
	m.Live = slices.Clone(questions)
	for i := range m.Live {
		if m.Live[i].ID == "" {
			m.given++
			m.Live[i].ID = fmt.Sprint("given ", m.given)
		}
	}
}

// Held implements [Adapter].
func (m *Memory) Held(*rapid.T) []Question { return slices.Clone(m.Live) }

// Answer implements [Adapter]: who answers makes no difference to a pure function.
func (m *Memory) Answer(*rapid.T, []string) {}
