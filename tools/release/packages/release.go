package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// downloads is where the archives of a release are, before its tag.
const downloads = "https://github.com/surveys-as-code/terraform-provider-posthog/releases/download/"

// checksumFile is the name of the checksum file before and after the version.
const checksumBefore, checksumAfter = "posthog-tools-", "-SHA256SUMS"

// release is what GoReleaser made of the programs.
type release struct {
	// dist is the folder with the archives.
	dist    string
	version string
	// tag is the path of the release, as GoReleaser escapes it.
	tag      string
	archives map[string]archive
}

// archive is an archive with the checksum that the signed checksum file has of it.
type archive struct {
	program, system, architecture string
	sum                           string
	files                         []string
}

// readRelease reads the checksum file of the programs, and the names in each archive.
func readRelease(dist string) (release, error) {
	found, err := filepath.Glob(filepath.Join(dist, checksumBefore+"*"+checksumAfter))
	if err != nil {
		return release{}, err
	}
	if len(found) != 1 {
		return release{}, fmt.Errorf("%s has %d checksum files, want 1", dist, len(found))
	}
	version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(found[0]), checksumBefore), checksumAfter)
	tag, err := readTag(dist)
	if err != nil {
		return release{}, err
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		return release{}, err
	}

	read := release{dist: dist, version: version, tag: tag, archives: map[string]archive{}}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if !strings.HasSuffix(name, ".zip") && !strings.HasSuffix(name, ".tar.gz") {
			continue
		}
		if read.archives[name], err = readArchive(dist, name, version, sum); err != nil {
			return release{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(read.archives) == 0 {
		return release{}, errors.New(found[0] + " names no archive")
	}
	return read, nil
}

// readArchive reads an archive whose name is PROGRAM-VERSION-SYSTEM-ARCHITECTURE.
func readArchive(dist, name, version, sum string) (archive, error) {
	program, platform, ok := strings.Cut(name, "-"+version+"-")
	if !ok {
		return archive{}, fmt.Errorf("has no version %s in its name", version)
	}
	platform = strings.TrimSuffix(strings.TrimSuffix(platform, ".zip"), ".tar.gz")
	system, architecture, _ := strings.Cut(platform, "-")
	files, err := filesIn(filepath.Join(dist, name))
	if err != nil {
		return archive{}, err
	}
	return archive{program: program, system: system, architecture: architecture, sum: sum, files: files}, nil
}

// of returns the names of a program's archives for systems and architectures, in order.
func (r release) of(program string, systems, architectures []string) []string {
	var names []string
	for name, a := range r.archives {
		if a.program == program && slices.Contains(systems, a.system) && slices.Contains(architectures, a.architecture) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// checkArchives checks that each archive of a program has what is installed with it.
func (r release) checkArchives(program string) error {
	var failures []error
	for name, a := range r.archives {
		if a.program != program {
			continue
		}
		wanted := append([]string{"LICENSE", "man/" + program + ".1"}, completions(program)...)
		if a.system == "windows" {
			wanted = append(wanted, program+".exe")
		} else {
			wanted = append(wanted, program)
		}
		failures = append(failures, a.lacks(name, wanted...))
	}
	return errors.Join(failures...)
}

// completions are the completion scripts of a program.
func completions(program string) []string {
	return []string{
		"completions/" + program + ".bash", "completions/_" + program,
		"completions/" + program + ".fish", "completions/" + program + ".ps1",
	}
}

// lacks fails for files that the archive does not have.
func (a archive) lacks(name string, files ...string) error {
	for _, file := range files {
		if !slices.Contains(a.files, file) {
			return fmt.Errorf("%s lacks %s", name, file)
		}
	}
	return nil
}

// named returns the archive at an address, which must be one of the release, and compares a
// checksum with that in the checksum file.
func (r release) named(address, sum string) (name string, err error) {
	name, ok := strings.CutPrefix(address, downloads+r.tag+"/")
	if !ok {
		return "", fmt.Errorf("%s is no address of release %s", address, r.tag)
	}
	a, ok := r.archives[name]
	switch {
	case !ok:
		return "", fmt.Errorf("the release has no %s", name)
	case a.sum != sum:
		return "", fmt.Errorf("%s has checksum %s, in the checksum file it is %s", name, sum, a.sum)
	}
	return name, nil
}

// same compares the archives that a package manager is given with those that it should
// be given.
func same(listed, want []string) error {
	slices.Sort(listed)
	if !slices.Equal(listed, want) {
		return fmt.Errorf("is for %v, want %v", listed, want)
	}
	return nil
}
