package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// caskLine is a line of a cask: a stanza with a text, or the begin of a block.
var caskLine = regexp.MustCompile(`^(\w+)(?: "([^"]*)")?( do)?$`)

// cask is what counts of a Homebrew cask.
type cask struct {
	name, version string
	// sums are the checksums, by address.
	sums map[string]string
	// files are what is linked from the archive.
	files []string
}

// checkCask checks the cask of a program.
func (r release) checkCask(program string) error {
	path := filepath.Join(r.dist, "homebrew", "Casks", program+".rb")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := r.caskFits(program, string(text)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (r release) caskFits(program, text string) error {
	read, err := parseCask(text)
	if err != nil {
		return err
	}
	if read.name != program || read.version != r.version {
		return fmt.Errorf("is cask %q of version %q, want %q of %q", read.name, read.version, program, r.version)
	}
	linked := append([]string{program, "man/" + program + ".1"}, completions(program)[:3]...)
	for _, file := range linked {
		if !slices.Contains(read.files, file) {
			return fmt.Errorf("does not install %s", file)
		}
	}

	var listed []string
	for address, sum := range read.sums {
		name, err := r.named(strings.ReplaceAll(address, "#{version}", r.version), sum)
		if err != nil {
			return err
		}
		if err := r.archives[name].lacks(name, read.files...); err != nil {
			return err
		}
		listed = append(listed, name)
	}
	return same(listed, r.of(program, []string{"darwin", "linux"}, []string{"amd64", "arm64"}))
}

// parseCask reads the stanzas that name archives and files. It is strict about what a
// program of ours has no need of: a block that does not end, or an address without a
// checksum.
func parseCask(text string) (cask, error) {
	read := cask{sums: map[string]string{}}
	sum := ""
	for line := range strings.Lines(text) {
		match := caskLine.FindStringSubmatch(strings.TrimSpace(line))
		if match == nil {
			continue
		}

		value := match[2]
		switch match[1] {
		case "cask":
			read.name = value
		case "version":
			read.version = value
		case "sha256":
			sum = value
		case "url":
			if sum == "" {
				return cask{}, errors.New(value + " has no checksum before it")
			}
			read.sums[value], sum = sum, ""
		case "binary", "manpage", "bash_completion", "zsh_completion", "fish_completion":
			read.files = append(read.files, value)
		}
	}
	return read, blocksEnd(text)
}

// blocksEnd checks that each block of Ruby ends, and nothing else does.
func blocksEnd(text string) error {
	open := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasSuffix(line, " do") || strings.HasPrefix(line, "if ") {
			open++
		}
		if line == "end" {
			open--
		}
		if open < 0 {
			return errors.New("has an end without a block")
		}
	}
	if open != 0 {
		return fmt.Errorf("has %d blocks that do not end", open)
	}
	return nil
}
