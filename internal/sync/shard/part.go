package shard

import (
	"fmt"
	"strconv"
	"strings"
)

// Part selects one of several shards. The zero value selects all.
type Part struct {
	// Index counts from 1 to Of.
	Index, Of int
}

// ParsePart parses I/N, or the empty string for all.
func ParsePart(text string) (Part, error) {
	if text == "" {
		return Part{}, nil
	}
	index, total, _ := strings.Cut(text, "/")
	i, errIndex := strconv.Atoi(index)
	n, errOf := strconv.Atoi(total)
	if errIndex != nil || errOf != nil || i < 1 || n < i {
		return Part{}, fmt.Errorf("%q is not a part of several: it must be I/N, from 1/N to N/N", text)
	}
	return Part{i, n}, nil
}

// String formats the part as I/N; empty for all.
func (p Part) String() string {
	if p.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.Index, p.Of)
}

// Shard returns the selected shard. A part beyond the last shard has no environments: there
// are fewer environments than jobs.
func (p Part) Shard(shards []Shard) Shard {
	if p.Index > len(shards) {
		return Shard{}
	}
	return shards[p.Index-1]
}
