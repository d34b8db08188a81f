package audience

import (
	"crypto/sha1" //nolint:gosec // PostHog uses it to assign rollouts, not for security.
	"encoding/binary"
)

// variant returns the variant of an enabled flag. The condition may assign it. Otherwise, the hash decides. variant
// returns nil if the variants' percentages do not cover the hash.
func (e *Evaluator) variant(flag *Flag, c *condition) *string {
	if flag.hasVariant(c.variant) {
		return &c.variant
	}
	if len(flag.variants) == 0 {
		return nil
	}
	return variantAt(flag.variants, e.hash(flag, c.aggregation, "variant"))
}

func variantAt(variants []variant, hash float64) *string {
	end := 0.0
	for i := range variants {
		end += variants[i].share / 100
		if hash < end {
			return &variants[i].key
		}
	}
	return nil
}

// hash returns the position of the person, device, or group in the rollout. Without an ID, it returns 0, which is
// within every rollout percentage.
func (e *Evaluator) hash(flag *Flag, aggregation *int64, salt string) float64 {
	id := e.person.DistinctID
	switch {
	case aggregation != nil:
		group, _ := e.group(*aggregation)
		id = group.id()
	case flag.ByDevice && e.person.DeviceID != "":
		id = e.person.DeviceID
	case flag.KeepsExperience && e.person.AnonymousID != "":
		id = e.person.AnonymousID
	}
	if id == "" {
		return 0
	}
	return Hash(flag.Key, id, salt)
}

// scale is the maximum hash: fifteen hexadecimal digits.
const scale = 0xfffffffffffffff

// Hash returns the position of an ID in a flag's rollout, from 0 to 1. It depends only on the flag's key, the ID, and
// the salt.
func Hash(flagKey, id, salt string) float64 {
	sum := sha1.Sum([]byte(flagKey + "." + id + salt)) //nolint:gosec // As above.
	return float64(binary.BigEndian.Uint64(sum[:8])>>4) / scale
}
