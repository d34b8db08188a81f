package side

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Part selects one of several parts of all environments, for one of several jobs. The zero
// value selects all.
type Part struct {
	// index counts from 1 to of.
	index, of int
}

// ParsePart parses I/N; auto, where the engine numbers its jobs from 1, as GitLab
// does; or auto/N, where it counts them from 0, as Kubernetes does.
func ParsePart(text string, getenv func(string) string) (Part, error) {
	index, of, isPart := strings.Cut(text, "/")
	switch {
	case text == "auto":
		index, of = getenv("CI_NODE_INDEX"), getenv("CI_NODE_TOTAL")
		if index == "" && of == "1" {
			index = "1" // GitLab numbers no job that runs alone
		}
		if index == "" || of == "" {
			return Part{}, errors.New("CI_NODE_INDEX and CI_NODE_TOTAL are not set, as they are in parallel jobs of GitLab: write I/N")
		}
		return partOf(index, of, fmt.Sprintf("CI_NODE_INDEX is %q and CI_NODE_TOTAL %q", index, of))

	case index == "auto":
		completion := getenv("JOB_COMPLETION_INDEX")
		if completion == "" {
			return Part{}, errors.New("JOB_COMPLETION_INDEX is not set, as it is in an indexed Job of Kubernetes: write I/N")
		}
		counted, err := strconv.Atoi(completion)
		if err != nil {
			return Part{}, fmt.Errorf("JOB_COMPLETION_INDEX is %q, and no number", completion)
		}
		return partOf(strconv.Itoa(counted+1), of, fmt.Sprintf("JOB_COMPLETION_INDEX is %q", completion))

	case !isPart:
		return Part{}, errors.New("it must be I/N, from 1/N to N/N, auto or auto/N")
	}
	return partOf(index, of, "")
}

// partOf is part index of several. given says where the numbers come from; empty for the
// flag itself.
func partOf(index, of, given string) (Part, error) {
	i, errIndex := strconv.Atoi(index)
	n, errOf := strconv.Atoi(of)
	switch {
	case errIndex == nil && errOf == nil && 1 <= i && i <= n:
		return Part{i, n}, nil
	case given == "":
		return Part{}, errors.New("it must be I/N, from 1/N to N/N, auto or auto/N")
	}
	return Part{}, fmt.Errorf("%s: that is no part from 1/N to N/N", given)
}

// String formats the part as I/N; empty for all.
func (p Part) String() string {
	if p.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.index, p.of)
}

// Of are every N-th of the names, beginning with the I-th: none in a part beyond the last
// name.
func (p Part) Of(all []string) []string {
	if p.of == 0 {
		return all
	}
	var names []string
	for i := p.index - 1; i < len(all); i += p.of {
		names = append(names, all[i])
	}
	return names
}
