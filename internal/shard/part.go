package shard

import (
	"fmt"
	"strconv"
	"strings"
)

// Part is one of several shards. The zero value is all of them.
type Part struct {
	// Index counts from 1 to Of.
	Index, Of int
}

// ParsePart reads I/N, or nothing for the whole.
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

// String writes the part as it is read.
func (p Part) String() string {
	if p.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.Index, p.Of)
}

// Shard is the one of the part. A part beyond the last shard has no environments: there were
// fewer environments than jobs.
func (p Part) Shard(shards []Shard) Shard {
	if p.Index > len(shards) {
		return Shard{}
	}
	return shards[p.Index-1]
}
