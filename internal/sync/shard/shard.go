// Package shard distributes environments among parallel jobs: by API key, since the service
// counts requests by key, and evenly by the number of objects. It is pure: no request is
// made and no file is read.
package shard

import (
	"cmp"
	"slices"
)

// Environment describes an environment for its distribution.
type Environment struct {
	Name string
	// Key distinguishes environments with different API keys. It need not be the key
	// itself.
	Key string
	// Objects is the number of its surveys and import apps.
	Objects int64
}

// weight is the amount of work: an environment without objects has to be read too.
func (e Environment) weight() int64 { return e.Objects + 1 }

// Shard is the part of one job.
type Shard struct {
	// Environments are sorted by name.
	Environments []Environment
	// RequestsPerMinute is the job's share of the quota of its key; 0 for no bound.
	RequestsPerMinute int
}

// Objects is the number of objects of the environments.
func (s Shard) Objects() int64 {
	var sum int64
	for _, e := range s.Environments {
		sum += e.Objects
	}
	return sum
}

// Names are the names of the environments.
func (s Shard) Names() []string {
	names := make([]string, len(s.Environments))
	for i, e := range s.Environments {
		names[i] = e.Name
	}
	return names
}

// Pack distributes environments among at most the given number of jobs; every job gets an
// environment. quota is the number of requests a minute that the service allows each key.
//
// A job either has its keys to itself, with their quotas, or shares a single key with other
// jobs and gets a share of its quota. So one number per job is enough to stay below every
// quota. The result does not depend on the order of the environments.
func Pack(environments []Environment, jobs, quota int) []Shard {
	keys := byKey(environments)
	if len(keys) == 0 {
		return nil
	}
	if jobs <= len(keys) {
		return wholeKeys(keys, jobs, quota)
	}

	var shards []Shard
	for i, n := range jobsOf(keys, jobs) {
		share := 0
		if quota > 0 {
			share = max(quota/n, 1)
		}
		for _, part := range balanced(singles(keys[i].environments), n) {
			shards = append(shards, newShard(part, share))
		}
	}
	return shards
}

// group are environments that get the same job.
type group struct {
	environments []Environment
	weight       int64
}

func (g group) with(e ...Environment) group {
	for _, one := range e {
		g.weight += one.weight()
	}
	g.environments = slices.Concat(g.environments, e)
	return g
}

// first is the name by which groups of the same weight are sorted.
func (g group) first() string { return g.environments[0].Name }

// byKey are the environments of each key, by the names of their first ones.
func byKey(environments []Environment) []group {
	sorted := slices.SortedFunc(slices.Values(environments), func(a, b Environment) int { return cmp.Compare(a.Name, b.Name) })
	var groups []group
	place := map[string]int{}
	for _, e := range sorted {
		i, known := place[e.Key]
		if !known {
			i = len(groups)
			place[e.Key] = i
			groups = append(groups, group{})
		}
		groups[i] = groups[i].with(e)
	}
	return groups
}

// wholeKeys gives each job all environments of one or several keys.
func wholeKeys(keys []group, jobs, quota int) []Shard {
	var shards []Shard
	for _, part := range balanced(keys, jobs) {
		shards = append(shards, newShard(part, quota))
	}
	return shards
}

// jobsOf is the number of jobs for each key: at least one, and each further job goes to the
// key whose jobs have the most work. A key never gets more jobs than it has environments.
func jobsOf(keys []group, jobs int) []int {
	counts := make([]int, len(keys))
	for i := range counts {
		counts[i] = 1
	}
	for range jobs - len(keys) {
		most := -1
		for i, key := range keys {
			if counts[i] == len(key.environments) {
				continue
			}
			// The greater of two quotients, without a division.
			if most < 0 || key.weight*int64(counts[most]) > keys[most].weight*int64(counts[i]) {
				most = i
			}
		}
		if most < 0 {
			break
		}
		counts[most]++
	}
	return counts
}

// singles are groups of a single environment each.
func singles(environments []Environment) []group {
	groups := make([]group, len(environments))
	for i, e := range environments {
		groups[i] = group{}.with(e)
	}
	return groups
}

// balanced packs groups into bins of about the same weight: the heaviest first, each into
// the lightest bin. There are no more bins than groups.
func balanced(groups []group, bins int) []group {
	sorted := slices.SortedFunc(slices.Values(groups), func(a, b group) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.first(), b.first()))
	})
	filled := make([]group, min(bins, len(groups)))
	for _, g := range sorted {
		lightest := 0
		for i := range filled {
			if filled[i].weight < filled[lightest].weight {
				lightest = i
			}
		}
		filled[lightest] = filled[lightest].with(g.environments...)
	}
	return filled
}

func newShard(g group, requestsPerMinute int) Shard {
	slices.SortFunc(g.environments, func(a, b Environment) int { return cmp.Compare(a.Name, b.Name) })
	return Shard{Environments: g.environments, RequestsPerMinute: requestsPerMinute}
}
