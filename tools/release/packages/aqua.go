package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

// aquaRegistry is the registry of aqua, as far as it is used.
type aquaRegistry struct {
	Packages []aquaPackage `yaml:"packages"`
}

type aquaPackage struct {
	Name            string         `yaml:"name"`
	Type            string         `yaml:"type"`
	RepoOwner       string         `yaml:"repo_owner"`
	RepoName        string         `yaml:"repo_name"`
	Description     string         `yaml:"description"`
	Asset           string         `yaml:"asset"`
	Format          string         `yaml:"format"`
	FormatOverrides []aquaFormat   `yaml:"format_overrides"`
	Files           []aquaFile     `yaml:"files"`
	Checksum        aquaChecksum   `yaml:"checksum"`
	Attestations    aquaAttestated `yaml:"github_artifact_attestations"`
}

type aquaFormat struct {
	GOOS   string `yaml:"goos"`
	Format string `yaml:"format"`
}

type aquaFile struct {
	Name string `yaml:"name"`
}

type aquaChecksum struct {
	Type      string `yaml:"type"`
	Asset     string `yaml:"asset"`
	Algorithm string `yaml:"algorithm"`
}

type aquaAttestated struct {
	SignerWorkflow string `yaml:"signer_workflow"`
}

// aquaPlatforms are the platforms that aqua runs on.
var aquaPlatforms = []string{
	"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64",
}

// checkAqua checks that the registry names the archives of each program. A release of all
// platforms has to have all of them, another one those that it has.
func (r release) checkAqua(path string, all bool) error {
	var registry aquaRegistry
	if err := readStrictly(path, &registry); err != nil {
		return err
	}
	var named []string
	for _, listed := range registry.Packages {
		program := listed.Name[strings.LastIndex(listed.Name, "/")+1:]
		if err := r.aquaFits(program, listed, all); err != nil {
			return fmt.Errorf("%s: %s: %w", path, listed.Name, err)
		}
		named = append(named, program)
	}
	if !slices.Equal(named, programs) {
		return fmt.Errorf("%s: has %v, want %v", path, named, programs)
	}
	return nil
}

func (r release) aquaFits(program string, listed aquaPackage, all bool) error {
	if listed.Type != "github_release" || !strings.HasSuffix(downloads, "/"+listed.RepoOwner+"/"+listed.RepoName+"/releases/download/") {
		return errors.New("is not downloaded from the releases of this repository")
	}
	if len(listed.Files) != 1 || listed.Files[0].Name != program {
		return fmt.Errorf("installs %v, want the program", listed.Files)
	}
	sums, err := r.aquaAsset(listed.Checksum.Asset, "", "", "")
	if err != nil {
		return err
	}
	if want := checksumBefore + r.version + checksumAfter; sums != want || listed.Checksum.Algorithm != "sha256" {
		return fmt.Errorf("has its checksums in %s, want %s", sums, want)
	}

	for _, platform := range aquaPlatforms {
		system, architecture, _ := strings.Cut(platform, "/")
		name, err := r.aquaAsset(listed.Asset, system, architecture, listed.formatOn(system))
		if err != nil {
			return err
		}
		_, made := r.archives[name]
		if built := len(r.of(program, []string{system}, []string{architecture})) > 0; !made && (all || built) {
			return fmt.Errorf("names %s for %s, which the release does not have", name, platform)
		}
	}
	return nil
}

// formatOn returns the format of the archive for an operating system.
func (p aquaPackage) formatOn(system string) string {
	for _, override := range p.FormatOverrides {
		if override.GOOS == system {
			return override.Format
		}
	}
	return p.Format
}

// aquaAsset fills in a template as aqua does.
func (r release) aquaAsset(text, system, architecture, format string) (string, error) {
	parsed, err := template.New("").Funcs(template.FuncMap{
		"trimV": func(version string) string { return strings.TrimPrefix(version, "v") },
	}).Parse(text)
	if err != nil {
		return "", err
	}
	var name strings.Builder
	err = parsed.Execute(&name, map[string]string{"Version": "v" + r.version, "OS": system, "Arch": architecture, "Format": format})
	return name.String(), err
}
