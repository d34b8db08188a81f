package shard_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/shard"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/fixedseed"
)

var environments = rapid.Custom(func(t *rapid.T) []shard.Environment {
	list := make([]shard.Environment, rapid.IntRange(0, 40).Draw(t, "environments"))
	keys := rapid.IntRange(1, 6).Draw(t, "keys")
	for i := range list {
		list[i] = shard.Environment{
			Name: fmt.Sprintf("e%02d", i), Key: fmt.Sprint(rapid.IntRange(1, keys).Draw(t, "key")),
			Objects: rapid.Int64Range(0, 1000).Draw(t, "objects"),
		}
	}
	return list
})

// Whatever there is to divide: each environment is in one shard, no shard is empty, no
// job has more than it may, and no key is asked for more than its quota.
func TestPack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := environments.Draw(t, "all")
		jobs, quota := rapid.IntRange(1, 12).Draw(t, "jobs"), rapid.SampledFrom([]int{0, 60, 480}).Draw(t, "quota")
		shards := shard.Pack(all, jobs, quota)
		if len(shards) > jobs {
			t.Fatalf("%d shards for %d jobs", len(shards), jobs)
		}

		seen, spent, total := map[string]int{}, map[string]int{}, map[string]bool{}
		for _, one := range shards {
			if len(one.Environments) == 0 || !slices.IsSorted(one.Names()) || (quota == 0) != (one.RequestsPerMinute == 0) {
				t.Fatalf("shard %+v", one)
			}
			keys := map[string]bool{}
			for _, e := range one.Environments {
				seen[e.Name]++
				keys[e.Key], total[e.Key] = true, true
			}
			for key := range keys {
				spent[key] += one.RequestsPerMinute
			}
		}
		for _, e := range all {
			if seen[e.Name] != 1 {
				t.Fatalf("%s is in %d shards", e.Name, seen[e.Name])
			}
		}
		for key, sum := range spent {
			if sum > quota {
				t.Fatalf("key %s is asked for %d of %d requests", key, sum, quota)
			}
		}
		if want := min(jobs, len(all)); jobs > len(total) && len(shards) != want {
			t.Fatalf("%d shards, and there is work for %d jobs", len(shards), want)
		}
	})
}

// No job that shares a key has more than another but for one environment.
func TestPackIsBalanced(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := environments.Draw(t, "all")
		for i := range all {
			all[i].Key = "one"
		}
		shards := shard.Pack(all, rapid.IntRange(2, 12).Draw(t, "jobs"), 0)
		for _, a := range shards {
			for _, b := range shards {
				var largest int64
				for _, e := range a.Environments {
					largest = max(largest, e.Objects)
				}
				if len(a.Environments) > 1 && a.Objects()+int64(len(a.Environments)) > b.Objects()+int64(len(b.Environments))+largest+1 {
					t.Fatalf("%d objects beside %d", a.Objects(), b.Objects())
				}
			}
		}
	})
}

// The order in which environments are given does not matter: all jobs come to the same
// shards.
func TestPackIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := environments.Draw(t, "all")
		jobs := rapid.IntRange(1, 12).Draw(t, "jobs")
		mixed := rapid.Permutation(all).Draw(t, "mixed")
		if a, b := fmt.Sprint(shard.Pack(all, jobs, 480)), fmt.Sprint(shard.Pack(mixed, jobs, 480)); a != b {
			t.Fatalf("%s\n%s", a, b)
		}
	})
}

// A key with more to do gets more jobs.
func TestJobsFollowTheWork(t *testing.T) {
	t.Parallel()

	var all []shard.Environment
	for i := range 10 {
		all = append(all,
			shard.Environment{Name: fmt.Sprintf("large-%d", i), Key: "large", Objects: 900},
			shard.Environment{Name: fmt.Sprintf("small-%d", i), Key: "small", Objects: 100})
	}
	var shares []int
	for _, one := range shard.Pack(all, 5, 480) {
		shares = append(shares, one.RequestsPerMinute)
	}
	assert.Equal(t, []int{120, 120, 120, 120, 480}, shares)
}

func TestParsePart(t *testing.T) {
	t.Parallel()

	part, err := shard.ParsePart("2/3")
	require.NoError(t, err)
	assert.Equal(t, shard.Part{Index: 2, Of: 3}, part)
	assert.Equal(t, "2/3", part.String())
	whole, err := shard.ParsePart("")
	require.NoError(t, err)
	assert.Empty(t, whole.String())
	for _, text := range []string{"0/3", "4/3", "1", "/", "a/b", "1/2/3", "-1/2"} {
		_, err := shard.ParsePart(text)
		assert.Error(t, err, text)
	}
}
