package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/nix-community/go-nix/pkg/nixbase32"
)

var (
	// nixEntry is a line of shaMap or urlMap.
	nixEntry = regexp.MustCompile(`^(\S+-(?:linux|darwin)) = "([^"]+)";$`)
	// nixFile is a file of the archive in a line of installPhase.
	nixFile = regexp.MustCompile(`\./[\w./*-]+`)
	// nixSetting is a setting of the package.
	nixSetting = regexp.MustCompile(`(?m)^\s*(pname|version|mainProgram|license) = "?([^";]+)"?;$`)
)

// checkNix checks the Nix package of a program.
func (r release) checkNix(program string) error {
	path := filepath.Join(r.dist, "nix", program+".nix")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := r.nixFits(program, string(text)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (r release) nixFits(program, text string) error {
	settings := map[string]string{}
	for _, match := range nixSetting.FindAllStringSubmatch(text, -1) {
		settings[match[1]] = match[2]
	}
	for name, want := range map[string]string{
		"pname": program, "version": r.version, "mainProgram": program, "license": "lib.licenses.mpl20",
	} {
		if settings[name] != want {
			return fmt.Errorf("%s is %q, want %q", name, settings[name], want)
		}
	}

	sums, addresses := nixMap(text, "shaMap"), nixMap(text, "urlMap")
	files := nixFile.FindAllString(text, -1)
	var listed []string
	for platform, address := range addresses {
		sum, err := sumOfNix(sums[platform])
		if err != nil {
			return fmt.Errorf("the checksum for %s: %w", platform, err)
		}
		name, err := r.named(address, sum)
		if err != nil {
			return err
		}
		if err := r.archives[name].installs(name, program, files); err != nil {
			return err
		}
		listed = append(listed, name)
	}
	return same(listed, r.of(program, []string{"darwin", "linux"}, []string{"386", "amd64", "arm64", "armv6"}))
}

// nixMap reads the entries of shaMap or urlMap.
func nixMap(text, name string) map[string]string {
	_, rest, _ := strings.Cut(text, name+" = {\n")
	body, _, _ := strings.Cut(rest, "};")
	entries := map[string]string{}
	for line := range strings.Lines(body) {
		if match := nixEntry.FindStringSubmatch(strings.TrimSpace(line)); match != nil {
			entries[match[1]] = match[2]
		}
	}
	return entries
}

// sumOfNix returns a checksum as checksum files have it.
func sumOfNix(sum string) (string, error) {
	if sum == "" {
		return "", errors.New("there is none")
	}
	raw, err := nixbase32.DecodeString(sum)
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(raw), nil
}

// installs checks that the program, its man pages and its completion scripts are installed
// from files that are in the archive.
func (a archive) installs(name, program string, files []string) error {
	installed := map[string]bool{}
	for _, file := range files {
		file = strings.TrimPrefix(file, "./")
		installed[file] = true
		if !strings.Contains(file, "*") {
			if err := a.lacks(name, file); err != nil {
				return err
			}
		}
	}
	for _, file := range append([]string{program, "man/*.1"}, completions(program)[:3]...) {
		if !installed[file] {
			return errors.New("does not install " + file)
		}
	}
	return nil
}
