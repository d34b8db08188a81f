package audience

import (
	"crypto/sha1" //nolint:gosec // The service spreads people by it; it protects nothing.
	"encoding/binary"
)

// variant is the value of a flag that is on: the one that the condition names, or the one
// by hash; nil where the shares of the variants do not reach it.
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

// hash is where the person, the device or the group stands among all of them. Without an
// id it is 0, which is within every share.
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

// scale is the greatest hash: fifteen hexadecimal digits.
const scale = 0xfffffffffffffff

// Hash is where an id stands among all ids of a flag: a number from 0 to 1 that is always
// the same for the same flag, id and salt.
func Hash(flagKey, id, salt string) float64 {
	sum := sha1.Sum([]byte(flagKey + "." + id + salt)) //nolint:gosec // As above.
	return float64(binary.BigEndian.Uint64(sum[:8])>>4) / scale
}
