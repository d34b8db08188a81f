package evaluation

import (
	"crypto/sha1" //nolint:gosec // The service spreads people by it; it protects nothing.
	"encoding/binary"
)

// scale is the greatest hash: fifteen hexadecimal digits.
const scale = 0xfffffffffffffff

// Hash is where an id stands among all ids of a flag: a number from 0 to 1 that is always
// the same for the same flag, id and salt.
func Hash(flagKey, id, salt string) float64 {
	return spread(flagKey + "." + id + salt)
}

func spread(s string) float64 {
	sum := sha1.Sum([]byte(s)) //nolint:gosec // As above.
	return float64(binary.BigEndian.Uint64(sum[:8])>>4) / scale
}

// variant is one of the values of a flag, and its share in percent.
type variant struct {
	key   string
	share float64
}

// variantAt is the variant at a hash; nil where the shares do not reach it.
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
