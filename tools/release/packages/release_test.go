package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nix-community/go-nix/pkg/nixbase32"
)

// testVersion is the version of the release in these tests.
const testVersion = "1.2.3"

// testRelease makes a release of three platforms as GoReleaser does, with what package
// managers read of it, and changes a text in each of these files.
func testRelease(t *testing.T, change func(path, text string) string) string {
	t.Helper()
	dist := t.TempDir()
	sums := map[string]string{}
	for _, program := range programs {
		for _, platform := range []string{"darwin-arm64.tar.gz", "linux-amd64.tar.gz", "windows-amd64.zip"} {
			name := program + "-" + testVersion + "-" + platform
			content := testArchive(t, program, strings.HasSuffix(name, ".zip"))
			sum := sha256.Sum256(content)
			sums[name] = hex.EncodeToString(sum[:])
			writeFile(t, filepath.Join(dist, name), string(content))
		}
	}

	texts := map[string]string{"metadata.json": `{"tag": "v` + testVersion + `"}`}
	for name, sum := range sums {
		texts["posthog-tools-"+testVersion+"-SHA256SUMS"] += sum + "  " + name + "\n"
	}
	for _, program := range programs {
		texts["homebrew/Casks/"+program+".rb"] = testCask(program, sums)
		texts["nix/"+program+".nix"] = testNix(t, program, sums)
		for suffix, text := range testWinget(program, sums) {
			id := wingetIDs[program]
			texts["winget/manifests/s/"+strings.ReplaceAll(id, ".", "/")+"/"+testVersion+"/"+id+suffix] = text
		}
	}
	for path, text := range texts {
		writeFile(t, filepath.Join(dist, filepath.FromSlash(path)), change(path, text))
	}
	return dist
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// testArchive is an archive with all files of a program.
func testArchive(t *testing.T, program string, zipped bool) []byte {
	t.Helper()
	files := append([]string{"LICENSE", program, "man/" + program + ".1"}, completions(program)...)
	if zipped {
		files[1] += ".exe"
	}

	var packed bytes.Buffer
	var closers []io.Closer
	var add func(name string) (io.Writer, error)
	if zipped {
		archive := zip.NewWriter(&packed)
		add, closers = archive.Create, []io.Closer{archive}
	} else {
		compressed := gzip.NewWriter(&packed)
		archive := tar.NewWriter(compressed)
		closers = []io.Closer{archive, compressed}
		add = func(name string) (io.Writer, error) {
			return archive, archive.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(program))})
		}
	}
	for _, file := range files {
		into, err := add(file)
		if err == nil {
			_, err = io.WriteString(into, program)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, closer := range closers {
		if err := closer.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return packed.Bytes()
}

func testCask(program string, sums map[string]string) string {
	block := func(system, processor, platform string) string {
		name := program + "-" + testVersion + "-" + platform + ".tar.gz"
		return fmt.Sprintf("  %s do\n    %s do\n      sha256 %q\n      url %q\n    end\n  end\n", system, processor, sums[name],
			downloads+"v#{version}/"+strings.Replace(name, testVersion, "#{version}", 1))
	}
	return "cask \"" + program + "\" do\n  version \"" + testVersion + "\"\n" +
		block("on_macos", "on_arm", "darwin-arm64") + block("on_linux", "on_intel", "linux-amd64") +
		"  binary \"" + program + "\"\n  manpage \"man/" + program + ".1\"\n" +
		"  bash_completion \"completions/" + program + ".bash\"\n  fish_completion \"completions/" + program + ".fish\"\n" +
		"  zsh_completion \"completions/_" + program + "\"\nend\n"
}

func testNix(t *testing.T, program string, sums map[string]string) string {
	t.Helper()
	var shas, addresses strings.Builder
	for platform, name := range map[string]string{"x86_64-linux": "linux-amd64", "aarch64-darwin": "darwin-arm64"} {
		name = program + "-" + testVersion + "-" + name + ".tar.gz"
		sum, err := hex.DecodeString(sums[name])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&shas, "    %s = %q;\n", platform, nixbase32.EncodeToString(sum))
		fmt.Fprintf(&addresses, "    %s = %q;\n", platform, downloads+"v"+testVersion+"/"+name)
	}
	return "  shaMap = {\n" + shas.String() + "  };\n  urlMap = {\n" + addresses.String() + "  };\n" +
		"  pname = \"" + program + "\";\n  version = \"" + testVersion + "\";\n" +
		"    cp -vr ./" + program + " $out/bin/" + program + "\n    installManPage ./man/*.1\n" +
		"    installShellCompletion ./completions/" + program + ".bash ./completions/" + program + ".fish ./completions/_" + program + "\n" +
		"    license = lib.licenses.mpl20;\n    mainProgram = \"" + program + "\";\n"
}

// testWinget is the three manifests of a program, by the ends of their names.
func testWinget(program string, sums map[string]string) map[string]string {
	head := "PackageIdentifier: " + wingetIDs[program] + "\nPackageVersion: " + testVersion + "\nManifestVersion: 1.12.0\nManifestType: "
	name := program + "-" + testVersion + "-windows-amd64.zip"
	return map[string]string{
		".yaml": head + "version\nDefaultLocale: en-US\n",
		".installer.yaml": head + "installer\nInstallerType: zip\nInstallers:\n- Architecture: x64\n  NestedInstallerType: portable\n" +
			"  NestedInstallerFiles:\n  - RelativeFilePath: " + program + ".exe\n    PortableCommandAlias: " + program + "\n" +
			"  InstallerUrl: " + downloads + "v" + testVersion + "/" + name + "\n  InstallerSha256: " + sums[name] + "\n",
		".locale.en-US.yaml": head + "defaultLocale\nPackageLocale: en-US\nPublisher: Surveys as Code\nPackageName: " + program +
			"\nLicense: MPL-2.0\nShortDescription: Surveys\n",
	}
}

const testRegistry = "../aqua-registry.yaml"

func TestRun(t *testing.T) {
	t.Parallel()
	dist := testRelease(t, func(_, text string) string { return text })
	if err := run(dist, testRegistry, false, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := run(dist, testRegistry, true, io.Discard); err == nil || !strings.Contains(err.Error(), "darwin/amd64") {
		t.Errorf("three platforms are taken for all of them: %v", err)
	}
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, path, old, new, want string
	}{
		{"cask, address", "homebrew/Casks/posthog-sync.rb", "releases/download", "releases/downloads", "no address of release"},
		{"cask, checksum", "homebrew/Casks/posthog-sync.rb", `sha256 "`, `sha256 "0`, "in the checksum file it is"},
		{"cask, platform", "homebrew/Casks/posthog-sync.rb", "darwin-arm64", "darwin-amd64", "the release has no"},
		{"cask, file", "homebrew/Casks/posthog-sync.rb", "man/posthog-sync.1", "man/posthog-sync.8", "does not install man/posthog-sync.1"},
		{"cask, file of no archive", "homebrew/Casks/posthog-sync.rb", "  zsh_completion", "  binary \"other\"\n  zsh_completion", "lacks other"},
		{"cask, version", "homebrew/Casks/posthog-sync.rb", `version "1.2.3"`, `version "1.2.4"`, `of version "1.2.4"`},
		{"cask, block", "homebrew/Casks/posthog-sync.rb", "\nend\n", "\n", "do not end"},
		{"winget, checksum", "SurveysAsCode.PostHogSync.installer.yaml", "InstallerSha256: ", "InstallerSha256: 0", "in the checksum file it is"},
		{"winget, program", "SurveysAsCode.PostHogSync.installer.yaml", "RelativeFilePath: posthog-sync", "RelativeFilePath: bin\\posthog-sync", "lacks bin"},
		{"winget, alias", "SurveysAsCode.PostHogSync.installer.yaml", "Alias: posthog-sync", "Alias: sync", `is called "sync"`},
		{"winget, unknown field", "SurveysAsCode.PostHogSync.yaml", "DefaultLocale", "Locale", "field Locale not found"},
		{"winget, identifier", "SurveysAsCode.PostHogSync.locale.en-US.yaml", "SurveysAsCode.PostHogSync", "SurveysAsCode.Other", "SurveysAsCode.Other"},
		{"winget, licence", "SurveysAsCode.PostHogSync.locale.en-US.yaml", "License: MPL-2.0\n", "", "lacks one of"},
		{"nix, checksum", "nix/posthog-sync.nix", "shaMap", "otherMap", "there is none"},
		{"nix, address", "nix/posthog-sync.nix", "/v1.2.3/", "/v1.2.2/", "no address of release"},
		{"nix, completion", "nix/posthog-sync.nix", "completions/_posthog-sync", "completions/posthog-sync", "lacks completions/posthog-sync"},
		{"nix, man pages", "nix/posthog-sync.nix", "./man/*.1", "", "does not install man/*.1"},
		{"nix, program", "nix/posthog-sync.nix", `mainProgram = "posthog-sync"`, `mainProgram = "sync"`, `mainProgram is "sync"`},
		{"archive not in the checksum file", "SHA256SUMS", "posthog-sync-1.2.3-linux-amd64", "posthog-sync-1.2.3-linux-arm64", "no such file"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			changed := false
			dist := testRelease(t, func(path, text string) string {
				if !strings.HasSuffix(path, row.path) || !strings.Contains(text, row.old) {
					return text
				}
				changed = true
				return strings.Replace(text, row.old, row.new, 1)
			})
			if !changed {
				t.Fatalf("no file %s has %q", row.path, row.old)
			}

			if err := run(dist, testRegistry, false, io.Discard); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("error %v, want one with %q", err, row.want)
			}
		})
	}
}

func TestRunRefusesRegistry(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(testRegistry)
	if err != nil {
		t.Fatal(err)
	}
	dist := testRelease(t, func(_, text string) string { return text })
	for old, replaced := range map[string]string{
		"asset: posthog-sync-{{":   "asset: posthog-sync_{{",
		"repo_name: terraform":     "repo_name: other",
		"asset: posthog-tools-":    "asset: tools-",
		"      - name: posthog-sy": "      - name: sy",
		"    format: tar.gz":       "    formats: tar.gz",
	} {
		if !strings.Contains(string(text), old) {
			t.Fatalf("the registry has no %q", old)
		}
		path := filepath.Join(t.TempDir(), "registry.yaml")
		writeFile(t, path, strings.Replace(string(text), old, replaced, 1))
		if err := run(dist, path, false, io.Discard); err == nil {
			t.Errorf("the registry was accepted with %q", replaced)
		}
	}
}
