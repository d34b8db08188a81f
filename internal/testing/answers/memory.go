package answers

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// Memory is an in-memory stand-in for PostHog, for adapters of pure functions.
type Memory struct {
	// Live contains the questions in PostHog.
	Live []Question
	// Answers maps IDs to numbers of answers.
	Answers map[string]int64

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

// Answer implements [Adapter].
func (m *Memory) Answer(_ *rapid.T, ids []string) {
	if m.Answers == nil {
		m.Answers = map[string]int64{}
	}
	for _, id := range ids {
		m.Answers[id]++
	}
}
