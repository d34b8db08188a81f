package audience

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-version"
)

// parts is the number of numbers in a version.
const parts = 3

// toVersion parses a semantic version. Like PostHog, it accepts missing numbers and leading zeros, which strict
// semantic versioning forbids.
func toVersion(value any) (*version.Version, bool) {
	v, err := version.NewVersion(versionText(value))
	return v, err == nil && len(v.Segments64()) == parts
}

// versionText returns the text to parse as a version, without a leading v and surrounding spaces.
func versionText(value any) string {
	return strings.TrimSpace(strings.TrimPrefix(toText(value), "v"))
}

// order compares two versions. Build metadata (after a plus sign) decides only if the rest is equal.
func order(a, b *version.Version) int {
	return cmp.Or(a.Compare(b), cmp.Compare(len(a.Metadata()), len(b.Metadata())), strings.Compare(a.Metadata(), b.Metadata()))
}

func versions(holds func(order int) bool) compare {
	return func(p *property, have any, _ time.Time) outcome {
		v, ok := toVersion(have)
		if !ok {
			return miss
		}
		want, ok := toVersion(p.want)
		if !ok {
			return unknown("the filter on " + p.key + " does not name a version")
		}
		return matches(holds(order(v, want)))
	}
}

// ranges evaluates a filter that contains a version range.
func ranges(read func(text string) (isIn func(*version.Version) bool, ok bool)) compare {
	return func(p *property, have any, _ time.Time) outcome {
		v, ok := toVersion(have)
		if !ok {
			return miss
		}
		isIn, ok := read(versionText(p.want))
		if !ok {
			return unknown("the filter on " + p.key + " does not name versions")
		}
		return matches(isIn(v))
	}
}

// tilde returns the range that allows later patch versions. caret returns the range in which the first nonzero number
// stays the same.
func tilde(text string) (func(*version.Version) bool, bool) { return from(text, 2) }

func caret(text string) (func(*version.Version) bool, bool) {
	return from(text, firstNumber(text, parts))
}

// firstNumber returns the position, from 1, of the first nonzero number. It considers only the first count numbers, and
// returns count if all of them are zero.
func firstNumber(text string, count int) int {
	v, ok := toVersion(text)
	if !ok {
		return 0
	}
	i := slices.IndexFunc(v.Segments64()[:count], func(n int64) bool { return n != 0 })
	if i < 0 {
		return count
	}
	return i + 1
}

// from returns the range of versions from the given one on, as long as the first same numbers do not change. A
// pre-release is outside the range, unless the range starts with a pre-release of the same version.
func from(text string, same int) (func(*version.Version) bool, bool) {
	want, ok := toVersion(text)
	return func(v *version.Version) bool {
		isAdmitted := v.Prerelease() == "" || want.Prerelease() != "" && hasPrefix(v, want.Segments64())
		return hasPrefix(v, want.Segments64()[:same]) && !v.LessThan(want) && isAdmitted
	}, ok
}

func hasPrefix(v *version.Version, numbers []int64) bool {
	return slices.Equal(v.Segments64()[:len(numbers)], numbers)
}

// wildcard parses 1.* or 1.2.*, and * for every release. Without a star, it returns a caret range in which missing
// numbers may have any value.
func wildcard(text string) (func(*version.Version) bool, bool) {
	fields := strings.Split(text, ".")
	star := slices.IndexFunc(fields, isStar)
	if len(fields) > parts || star >= 0 && slices.ContainsFunc(fields[star:], func(part string) bool { return !isStar(part) }) {
		return nil, false
	}
	if star < 0 {
		return from(text, firstNumber(text, len(fields)))
	}

	release := func(v *version.Version) bool { return v.Prerelease() == "" }
	if star == 0 {
		return release, true
	}
	want, ok := toVersion(strings.Join(fields[:star], "."))
	if !ok || want.Prerelease() != "" {
		return nil, false
	}
	numbers := want.Segments64()[:star]
	return func(v *version.Version) bool { return release(v) && hasPrefix(v, numbers) }, true
}

func isStar(part string) bool { return part == "*" || part == "x" || part == "X" }
