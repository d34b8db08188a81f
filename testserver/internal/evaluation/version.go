package evaluation

import (
	"cmp"
	"strconv"
	"strings"
)

// version is a semantic version.
type version struct {
	major, minor, patch uint64
	// pre are the identifiers of a version before the release; build those behind a plus.
	pre, build string
}

// versionText is what is read as a version: a v in front and blanks go.
func versionText(v value) string {
	return strings.TrimSpace(strings.TrimPrefix(v.text, "v"))
}

// versionOf reads a version. Apps leave parts out and fill others up with zeros, which
// strict semantic versioning forbids and the service allows.
func versionOf(v value) (version, bool) { return parseVersion(canonicalVersion(versionText(v))) }

// canonicalVersion has three numbers without zeros in front.
func canonicalVersion(s string) string {
	end := strings.IndexAny(s, "-+")
	if end < 0 {
		end = len(s)
	}

	parts := strings.Split(s[:end], ".")
	for i, part := range parts {
		parts[i] = withoutZeros(part)
	}
	for len(parts) < 3 {
		parts = append(parts, "0")
	}
	return strings.Join(parts, ".") + s[end:]
}

// withoutZeros takes the zeros in front from a number; anything else stays.
func withoutZeros(part string) string {
	if !isDigits(part) || part == "" {
		return part
	}
	if trimmed := strings.TrimLeft(part, "0"); trimmed != "" {
		return trimmed
	}
	return "0"
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// parseVersion reads a version as semantic versioning spells it.
func parseVersion(s string) (version, bool) {
	var v version
	rest, build, hasBuild := strings.Cut(s, "+")
	core, pre, hasPre := strings.Cut(rest, "-")
	if hasBuild && !areIdentifiers(build, false) || hasPre && !areIdentifiers(pre, true) {
		return v, false
	}
	v.pre, v.build = pre, build

	parts := strings.Split(core, ".")
	if len(parts) != 3 {
		return v, false
	}
	for i, place := range []*uint64{&v.major, &v.minor, &v.patch} {
		n, err := strconv.ParseUint(parts[i], 10, 64)
		if err != nil || !isDigits(parts[i]) {
			return v, false
		}
		*place = n
	}
	return v, true
}

// areIdentifiers reports whether a text is identifiers with dots between them. Those that
// are numbers may be forbidden to begin with a zero.
func areIdentifiers(s string, strict bool) bool {
	for part := range strings.SplitSeq(s, ".") {
		for i := range len(part) {
			c := part[i]
			if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' {
				return false
			}
		}
		if part == "" || strict && isDigits(part) && len(part) > 1 && part[0] == '0' {
			return false
		}
	}
	return true
}

// compare orders versions: by their numbers, then one before the release before it, and
// last by what stands behind a plus.
func (v version) compare(other version) int {
	return cmp.Or(
		cmp.Compare(v.major, other.major), cmp.Compare(v.minor, other.minor), cmp.Compare(v.patch, other.patch),
		comparePre(v.pre, other.pre), compareIdentifiers(v.build, other.build),
	)
}

func comparePre(a, b string) int {
	if a == "" || b == "" {
		// The release comes after all that led to it.
		return cmp.Compare(len(b), len(a))
	}
	return compareIdentifiers(a, b)
}

// compareIdentifiers orders numbers by their size and before words, and more identifiers
// after fewer.
func compareIdentifiers(a, b string) int {
	left, right := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(left), len(right)) {
		if order := compareIdentifier(left[i], right[i]); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(left), len(right))
}

func compareIdentifier(a, b string) int {
	switch {
	case isDigits(a) && isDigits(b):
		sizeA, sizeB := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(sizeA), len(sizeB)), cmp.Compare(sizeA, sizeB), cmp.Compare(len(a), len(b)))
	case isDigits(a):
		return -1
	case isDigits(b):
		return 1
	}
	return cmp.Compare(a, b)
}

func onVersions(holds func(order int) bool) func(*property, value, clock) outcome {
	return func(p *property, have value, _ clock) outcome {
		has, ok := versionOf(have)
		if !ok {
			return miss
		}
		want, ok := versionOf(p.want)
		if !ok {
			return unknown("the filter on " + p.key + " does not name a version")
		}
		return matches(holds(has.compare(want)))
	}
}
