package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// wingetIDs are the names of the programs in the repository of winget.
var wingetIDs = map[string]string{
	"posthog-sync":       "SurveysAsCode.PostHogSync",
	"posthog-testserver": "SurveysAsCode.PostHogTestServer",
}

// manifest is what all manifests of winget have.
type manifest struct {
	PackageIdentifier string `yaml:"PackageIdentifier"`
	PackageVersion    string `yaml:"PackageVersion"`
	ManifestType      string `yaml:"ManifestType"`
	ManifestVersion   string `yaml:"ManifestVersion"`
}

// wingetVersion is the manifest that names the others.
type wingetVersion struct {
	manifest      `yaml:",inline"`
	DefaultLocale string `yaml:"DefaultLocale"`
}

// wingetInstaller is the manifest with the archives.
type wingetInstaller struct {
	manifest        `yaml:",inline"`
	InstallerLocale string `yaml:"InstallerLocale"`
	InstallerType   string `yaml:"InstallerType"`
	ReleaseDate     string `yaml:"ReleaseDate"`
	Installers      []struct {
		Architecture         string `yaml:"Architecture"`
		NestedInstallerType  string `yaml:"NestedInstallerType"`
		NestedInstallerFiles []struct {
			RelativeFilePath     string `yaml:"RelativeFilePath"`
			PortableCommandAlias string `yaml:"PortableCommandAlias"`
		} `yaml:"NestedInstallerFiles"`
		InstallerURL    string `yaml:"InstallerUrl"`
		InstallerSha256 string `yaml:"InstallerSha256"`
		UpgradeBehavior string `yaml:"UpgradeBehavior"`
	} `yaml:"Installers"`
}

// wingetLocale is the manifest that people read.
type wingetLocale struct {
	manifest            `yaml:",inline"`
	PackageLocale       string   `yaml:"PackageLocale"`
	Publisher           string   `yaml:"Publisher"`
	PublisherURL        string   `yaml:"PublisherUrl"`
	PublisherSupportURL string   `yaml:"PublisherSupportUrl"`
	PackageName         string   `yaml:"PackageName"`
	PackageURL          string   `yaml:"PackageUrl"`
	License             string   `yaml:"License"`
	LicenseURL          string   `yaml:"LicenseUrl"`
	ShortDescription    string   `yaml:"ShortDescription"`
	Moniker             string   `yaml:"Moniker"`
	Tags                []string `yaml:"Tags"`
	ReleaseNotesURL     string   `yaml:"ReleaseNotesUrl"`
}

// checkWinget checks the three manifests of a program.
func (r release) checkWinget(program string) error {
	id := wingetIDs[program]
	folder := filepath.Join(r.dist, "winget", "manifests", "s", strings.ReplaceAll(id, ".", string(filepath.Separator)), r.version)

	var version wingetVersion
	var installer wingetInstaller
	var locale wingetLocale
	for suffix, into := range map[string]any{
		".yaml": &version, ".installer.yaml": &installer, ".locale.en-US.yaml": &locale,
	} {
		if err := readStrictly(filepath.Join(folder, id+suffix), into); err != nil {
			return err
		}
	}
	if err := r.wingetFits(program, version, installer, locale); err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	return nil
}

// readStrictly reads a YAML file, which must have no field that is not declared.
func readStrictly(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (r release) wingetFits(program string, version wingetVersion, installer wingetInstaller, locale wingetLocale) error {
	for kind, found := range map[string]manifest{
		"version": version.manifest, "installer": installer.manifest, "defaultLocale": locale.manifest,
	} {
		want := manifest{wingetIDs[program], r.version, kind, version.ManifestVersion}
		if found != want {
			return fmt.Errorf("the manifest of kind %s says %+v, want %+v", kind, found, want)
		}
	}
	if version.DefaultLocale != "en-US" || locale.PackageLocale != "en-US" {
		return fmt.Errorf("is in %q, and says %q", locale.PackageLocale, version.DefaultLocale)
	}
	// What winget refuses a package without.
	if required := []string{locale.Publisher, locale.PackageName, locale.License, locale.ShortDescription}; slices.Contains(required, "") {
		return fmt.Errorf("lacks one of publisher, name, license and short description: %q", required)
	}
	return r.installersFit(program, installer)
}

// installersFit checks the archives for Windows and the program in each.
func (r release) installersFit(program string, installer wingetInstaller) error {
	if installer.InstallerType != "zip" {
		return fmt.Errorf("installs from %q, want zip", installer.InstallerType)
	}
	var listed []string
	for _, item := range installer.Installers {
		name, err := r.named(item.InstallerURL, item.InstallerSha256)
		if err != nil {
			return err
		}
		if item.NestedInstallerType != "portable" || len(item.NestedInstallerFiles) != 1 {
			return fmt.Errorf("%s is %q with %d files, want one portable program", name, item.NestedInstallerType, len(item.NestedInstallerFiles))
		}
		file := item.NestedInstallerFiles[0]
		if file.PortableCommandAlias != program {
			return fmt.Errorf("%s is called %q, want %q", name, file.PortableCommandAlias, program)
		}
		if err := r.archives[name].lacks(name, file.RelativeFilePath); err != nil {
			return err
		}
		listed = append(listed, name)
	}
	return same(listed, r.of(program, []string{"windows"}, []string{"386", "amd64", "arm64"}))
}
