package environment

import (
	"fmt"
	"strconv"
	"strings"
)

// Part is one of N parts into which all environments are divided, for one of several parallel jobs. The
// zero value selects all environments.
type Part struct {
	// index is between 1 and of.
	index, of int
}

// ParsePart parses I/N, auto, or auto/N. auto is for CI systems that number jobs from 1, such as GitLab.
// auto/N is for systems that number them from 0, such as Kubernetes.
func ParsePart(text string, getenv func(string) string) (Part, error) {
	index, of, _ := strings.Cut(text, "/")
	first, given := 1, ""
	switch {
	case text == "auto":
		index, of = getenv("CI_NODE_INDEX"), getenv("CI_NODE_TOTAL")
		if index == "" && of == "1" {
			index = "1" // GitLab does not number a single job
		}
		given = fmt.Sprintf("CI_NODE_INDEX is %q and CI_NODE_TOTAL %q: ", index, of)
	case index == "auto":
		index, first = getenv("JOB_COMPLETION_INDEX"), 0
		given = fmt.Sprintf("JOB_COMPLETION_INDEX is %q: ", index)
	}

	i, errIndex := strconv.Atoi(index)
	n, errOf := strconv.Atoi(of)
	if i += 1 - first; errIndex != nil || errOf != nil || i < 1 || i > n {
		return Part{}, fmt.Errorf("%suse I/N, from 1/N to N/N; auto in GitLab parallel jobs; or auto/N in an indexed Kubernetes Job", given)
	}
	return Part{i, n}, nil
}

// String formats the part as I/N. It returns an empty string if the part contains all environments.
func (p Part) String() string {
	if p.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.index, p.of)
}

// Of returns every N-th name, starting with the I-th. It returns nil if there is no I-th name.
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
