package audience

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-version"
)

// parts is how many numbers a version has.
const parts = 3

// toVersion reads a semantic version. Apps leave numbers out and fill others up with zeros, which
// strict semantic versioning forbids and the service allows.
func toVersion(value any) (*version.Version, bool) {
	v, err := version.NewVersion(versionText(value))
	return v, err == nil && len(v.Segments64()) == parts
}

// versionText is what is read as a version: a v in front and blanks go.
func versionText(value any) string {
	return strings.TrimSpace(strings.TrimPrefix(toText(value), "v"))
}

// order compares two versions; what stands behind a plus counts last.
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

// ranges compares with a range that the filter names.
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

// tilde allows later patches, caret what leaves the first number as it is that is not zero.
func tilde(text string) (func(*version.Version) bool, bool) { return from(text, 2) }

func caret(text string) (func(*version.Version) bool, bool) {
	return from(text, firstNumber(text, parts))
}

// firstNumber is how many numbers of a version there are up to the first that is not zero, or of
// those that are written.
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

// from is the range from a version on, as far as the first numbers stay the same. Versions before a
// release are out, unless the range names one of the same numbers.
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

// wildcard is 1.* or 1.2.*, and * for every release. Without a star it is a caret range, whose
// missing numbers are free.
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
