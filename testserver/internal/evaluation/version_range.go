package evaluation

import (
	"strconv"
	"strings"
)

// versionRange reports whether a version is in a range.
type versionRange func(v version) bool

// inRange compares with a range that the filter names.
func inRange(read func(text string) (versionRange, bool)) func(*property, value, clock) outcome {
	return func(p *property, have value, _ clock) outcome {
		has, ok := versionOf(have)
		if !ok {
			return miss
		}
		holds, ok := read(versionText(p.want))
		if !ok {
			return unknown("the filter on " + p.key + " does not name versions")
		}
		return matches(holds(has))
	}
}

// tildeRange allows later patches.
func tildeRange(text string) (versionRange, bool) {
	want, ok := parseVersion(canonicalVersion(text))
	return func(v version) bool {
		return v.major == want.major && v.minor == want.minor &&
			(v.patch > want.patch || v.patch == want.patch && !isBeforePre(v, want)) && admits(v, want)
	}, ok
}

// caretRange allows what leaves the first number as it is that is not zero.
func caretRange(text string) (versionRange, bool) {
	want, ok := parseVersion(canonicalVersion(text))
	return func(v version) bool { return isCompatible(v, want) && admits(v, want) }, ok
}

func isCompatible(v, want version) bool {
	switch {
	case v.major != want.major:
		return false
	case want.major > 0 && v.minor != want.minor:
		return v.minor > want.minor
	case v.minor != want.minor:
		return false
	case want.major+want.minor > 0 && v.patch != want.patch:
		return v.patch > want.patch
	case v.patch != want.patch:
		return false
	}
	return !isBeforePre(v, want)
}

// isBeforePre compares two versions of the same numbers.
func isBeforePre(v, want version) bool { return comparePre(v.pre, want.pre) < 0 }

// admits keeps versions before a release out, unless the range names one of the same
// numbers.
func admits(v, want version) bool {
	return v.pre == "" ||
		want.pre != "" && v.major == want.major && v.minor == want.minor && v.patch == want.patch
}

// wildcardRange is 1.* or 1.2.*, and * for every release. Without a star it is a caret
// range, whose missing parts are free.
func wildcardRange(text string) (versionRange, bool) {
	parts := strings.Split(text, ".")
	star := len(parts)
	for i, part := range parts {
		if part == "*" || part == "x" || part == "X" {
			star = min(star, i)
		} else if i > star {
			return nil, false
		}
	}
	if len(parts) > 3 {
		return nil, false
	}
	if star == len(parts) && len(parts) == 3 {
		for i, part := range parts {
			parts[i] = withoutZeros(part)
		}
		want, ok := parseVersion(strings.Join(parts, "."))
		return func(v version) bool { return isCompatible(v, want) && admits(v, want) }, ok
	}

	var numbers []uint64
	for _, part := range parts[:star] {
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil || !isDigits(part) {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	return func(v version) bool { return v.pre == "" && beginsWith(v, numbers, star == len(parts)) }, true
}

// beginsWith reports whether a version has some numbers in front. As a caret range of
// fewer than three parts, a later minor version of the same major one will do.
func beginsWith(v version, numbers []uint64, isCaret bool) bool {
	if len(numbers) == 0 {
		return true
	}
	if v.major != numbers[0] || len(numbers) == 1 {
		return v.major == numbers[0]
	}
	return v.minor == numbers[1] || isCaret && numbers[0] > 0 && v.minor > numbers[1]
}
