package audience

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// golden is the output of testdata/rollout.py: hashes and decisions as the Python SDK computes them.
type golden struct {
	Pairs   int
	SHA256  string
	Samples []string
}

// rolloutShares and goldenVariants have the same values as in testdata/rollout.py.
var (
	rolloutShares  = []float64{0.1, 1, 33.3, 50, 99.9}
	goldenVariants = []variant{{"a", 33.3}, {"b", 33.3}, {"c", 0.1}, {"d", 33.3}}
)

// goldenPair returns the nth pair of a flag key and an ID.
func goldenPair(n int) (key, id string) {
	marks := []string{"", "é", "日本", "😀", " ", ".", "-"}
	return fmt.Sprintf("flag%s-%d", marks[n%7], n%97), fmt.Sprintf("user%s%d@example.com", marks[n%5], n*7919)
}

// goldenLine returns all hashes and decisions for one pair.
func goldenLine(n int) string {
	key, id := goldenPair(n)
	hash, spread := Hash(key, id, ""), Hash(key, id, "variant")

	line := strconv.FormatFloat(hash, 'e', 16, 64) + " " + strconv.FormatFloat(spread, 'e', 16, 64) + " "
	for _, share := range rolloutShares {
		if hash <= share/100 {
			line += "1"
		} else {
			line += "0"
		}
	}
	if chosen := variantAt(goldenVariants, spread); chosen != nil {
		return line + " " + *chosen
	}
	return line + " -"
}

// The hashes of 10,000 pairs agree with the Python SDK in every digit. Rollouts and variants agree, too.
func TestHashesOfThePythonSDK(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/rollout.json")
	require.NoError(t, err)
	var want golden
	require.NoError(t, json.Unmarshal(raw, &want))
	require.Equal(t, 10_000, want.Pairs)

	sum := sha256.New()
	for n := range want.Pairs {
		line := goldenLine(n)
		sum.Write([]byte(line + "\n"))
		if n%500 == 0 {
			require.Equal(t, want.Samples[n/500], line, "pair %d", n)
		}
	}
	require.Equal(t, want.SHA256, hex.EncodeToString(sum.Sum(nil)))
}

// These values are in the Go SDK's and PostHog's tests.
func TestHashesOfOtherEvaluators(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]float64{
		"some_distinct_id": 0.0866397292395582, "test-identifier": 0.7496340887209227,
		"example_id": 0.8691395133214396, "example_id2": 0.8442736553863017,
	} {
		require.InDelta(t, want, Hash("holdout-", id, ""), 1e-15, id)
	}
}

// These checksums of two flags' values for a thousand persons are from the SDKs' tests.
func TestValuesOfOtherEvaluators(t *testing.T) {
	t.Parallel()
	for want, flag := range map[string]*Flag{
		"836471e926afcd8ed6e69824712077c5dae64fdb939a579fb3d0bd71e09ebce8": newFlag(t, 1, "simple-flag", `{"groups":[{"properties":[],"rollout_percentage":45}]}`),
		"c1618ac7ba3f987bc92462ea975b99c3715c8cbed1fde7814b82466ea4ee6325": newFlag(t, 1, "multivariate-flag", `{"groups":[{"properties":[],"rollout_percentage":55}],
			"multivariate":{"variants":[{"key":"first-variant","rollout_percentage":50},{"key":"second-variant","rollout_percentage":20},
			{"key":"third-variant","rollout_percentage":20},{"key":"fourth-variant","rollout_percentage":5},{"key":"fifth-variant","rollout_percentage":5}]}}`),
	} {
		sum := sha256.New()
		for n := range 1000 {
			r := evaluate(flag, &Person{DistinctID: "distinct_id_" + strconv.Itoa(n)})
			value, _, _ := strings.Cut(said(r), " ")
			sum.Write([]byte(value + "\n"))
		}
		require.Equal(t, want, hex.EncodeToString(sum.Sum(nil)), flag.Key)
	}
}

// A person who is in at one percentage is in at every higher one. At 0, no one is in, and at 100, everyone is.
func TestRolloutIsMonotone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		key := rapid.String().Draw(rt, "key")
		person := &Person{DistinctID: rapid.StringN(1, 40, -1).Draw(rt, "id")}
		low := rapid.Float64Range(0, 100).Draw(rt, "low")
		high := rapid.Float64Range(low, 100).Draw(rt, "high")

		isOn := func(share float64) bool {
			filters := fmt.Sprintf(`{"groups":[{"rollout_percentage":%s}]}`, strconv.FormatFloat(share, 'f', -1, 64))
			flag := NewFlag(Definition{Key: key, Active: true, Filters: decode(t, filters)})
			return evaluate(flag, person).Enabled
		}
		if isOn(low) && !isOn(high) {
			rt.Fatalf("%q is in a rollout of %v, but not in one of %v", person.DistinctID, low, high)
		}
		if !isOn(100) || isOn(0) && Hash(key, person.DistinctID, "") > 0 {
			rt.Fatalf("%q is not in a rollout of 100, or is in a rollout of 0", person.DistinctID)
		}
	})
}

// A hash at a rollout's upper bound is in. A hash at a variant's upper bound belongs to the next variant.
func TestEndsOfShares(t *testing.T) {
	t.Parallel()
	found := 0
	for n := range 200 {
		person := &Person{DistinctID: strconv.Itoa(n)}
		hash, spread := Hash("ends", person.DistinctID, ""), Hash("ends", person.DistinctID, "variant")
		share, part := hash*100, spread*100
		if share/100 != hash || part/100 != spread {
			continue
		}
		found++

		for _, c := range []struct {
			share, part float64
			want        string
		}{
			{share, part, "b condition_match"}, {share, part + 1e-12, "a condition_match"},
			{share - 1e-12, part, "off out_of_rollout_bound"},
		} {
			flag := NewFlag(Definition{Key: "ends", Active: true, Filters: recoded(map[string]any{
				"groups": []any{map[string]any{"rollout_percentage": c.share}},
				"multivariate": map[string]any{"variants": []any{
					map[string]any{"key": "a", "rollout_percentage": c.part}, map[string]any{"key": "b", "rollout_percentage": 100},
				}},
			})})
			require.Equal(t, c.want, said(evaluate(flag, person)), "%d %+v", n, c)
		}
	}
	require.Positive(t, found)
}

// Each person gets exactly one variant, which doesn't depend on later variants, and each variant gets approximately its
// share of many persons.
func TestVariantsPartition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		shares := rapid.SliceOfN(rapid.IntRange(0, 100), 1, 8).Draw(rt, "shares")
		left := 100
		var variants []variant
		for i, share := range shares {
			share = min(share, left)
			if i == len(shares)-1 {
				share = left
			}
			left -= share
			variants = append(variants, variant{strconv.Itoa(i), float64(share)})
		}

		hash := Hash(rapid.String().Draw(rt, "key"), rapid.String().Draw(rt, "id"), "variant")
		chosen := variantAt(variants, hash)
		if hash < 1-1e-9 && chosen == nil {
			rt.Fatalf("hash %v gets no variant of %v", hash, variants)
		}
		for n := range variants {
			if cut := variantAt(variants[:n], hash); cut != nil && *cut != *chosen {
				rt.Fatalf("hash %v gets a variant of %v that depends on later variants: %s, but %s with only the first %d", hash, variants, *chosen, *cut, n)
			}
		}
	})
}

func TestVariantsHaveTheirShares(t *testing.T) {
	t.Parallel()
	flag := newFlag(t, 1, "colours", `{"groups":[{"rollout_percentage":100}],"multivariate":{"variants":[
		{"key":"red","rollout_percentage":50},{"key":"green","rollout_percentage":30},{"key":"blue","rollout_percentage":20}]}}`)
	count := map[string]int{}
	for n := range 20_000 {
		count[*evaluate(flag, &Person{DistinctID: "user" + strconv.Itoa(n)}).Variant]++
	}
	require.InDelta(t, 10_000, count["red"], 300)
	require.InDelta(t, 6_000, count["green"], 300)
	require.InDelta(t, 4_000, count["blue"], 300)
}
