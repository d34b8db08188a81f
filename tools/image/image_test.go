// Package image tests the image of the test server that tools/image/build makes.
package image

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

const program = "posthog-testserver"

// build builds the image, and returns what the script prints.
func build(t *testing.T, version, out, repository string) (string, error) {
	t.Helper()
	crane := filepath.Join(t.TempDir(), "crane")
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-o", crane, "github.com/google/go-containerregistry/cmd/crane").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	var printed, failed bytes.Buffer
	script := exec.CommandContext(t.Context(), "./build", crane, version, out, repository)
	script.Stdout, script.Stderr = &printed, &failed
	if err := script.Run(); err != nil {
		return "", errors.New(failed.String())
	}
	return printed.String(), nil
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// The image is in the archive and in the registry, and has a program that serves, and
// licences, and nothing else.
func TestImage(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	repository := strings.TrimPrefix(server.URL, "http://") + "/surveys-as-code/posthog-testserver"
	out := filepath.Join(t.TempDir(), "image.tar")
	printed := must(build(t, "1.2.3", out, repository))(t)

	for _, tag := range []string{"1.2.3", "latest"} {
		pulled := must(remote.Index(must(name.ParseReference(repository + ":" + tag))(t)))(t)
		if got := repository + "@" + must(pulled.Digest())(t).String() + "\n"; got != printed {
			t.Errorf("%s has the digest %s, but %s was printed", tag, got, printed)
		}
	}

	index := onlyIndex(t, out)
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	manifests := must(index.IndexManifest())(t).Manifests
	if len(manifests) != len(machines) {
		t.Fatalf("the archive contains %d images, want %d", len(manifests), len(machines))
	}
	for _, manifest := range manifests {
		image := must(index.Image(manifest.Digest))(t)
		if version := must(image.ConfigFile())(t).Config.Labels["org.opencontainers.image.version"]; version != "1.2.3" {
			t.Errorf("the label has version %q", version)
		}
		path := extract(t, image)
		file := must(elf.Open(path))(t)
		if libraries := must(file.ImportedLibraries())(t); file.Machine != machines[manifest.Platform.Architecture] || len(libraries) > 0 {
			t.Errorf("the program is built for %s and requires the libraries %v", file.Machine, libraries)
		}
		if runtime.GOOS == "linux" && runtime.GOARCH == manifest.Platform.Architecture {
			serve(t, path)
		}
	}
}

// onlyIndex reads the archive.
func onlyIndex(t *testing.T, archive string) v1.ImageIndex {
	t.Helper()
	folder := t.TempDir()
	if output, err := exec.CommandContext(t.Context(), "tar", "-xf", archive, "-C", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	all := must(layout.ImageIndexFromPath(folder))(t)
	return must(all.ImageIndex(must(all.IndexManifest())(t).Manifests[0].Digest))(t)
}

// extract returns the path of the program.
func extract(t *testing.T, image v1.Image) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), program)
	licences := 0
	for files := tar.NewReader(mutate.Extract(image)); ; {
		header, err := files.Next()
		switch {
		case errors.Is(err, io.EOF):
			if licences < 5 {
				t.Errorf("the image contains %d licenses", licences)
			}
			return path
		case err != nil:
			t.Fatal(err)
		case strings.HasPrefix(header.Name, "licenses/"):
			licences++
		case header.Name != program:
			t.Errorf("the image contains an unexpected file: %s", header.Name)
		default:
			if err := os.WriteFile(path, must(io.ReadAll(files))(t), header.FileInfo().Mode()|0o200); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// serve starts the program and asks for its health.
func serve(t *testing.T, path string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	server := exec.CommandContext(ctx, path, "-listen", "127.0.0.1:0")
	server.Env = []string{}
	printed := must(server.StdoutPipe())(t)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		_ = server.Wait()
	}()

	line := must(bufio.NewReader(printed).ReadString('\n'))(t)
	address := strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	response := must(http.Get(address + "/_testserver/health"))(t)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("the health check failed: %s", response.Status)
	}
}

func TestPrereleasesAreNotTheLatest(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	repository, out := strings.TrimPrefix(server.URL, "http://")+"/posthog-testserver", filepath.Join(t.TempDir(), "image.tar")
	must(build(t, "1.2.3-rc.1", out, repository))(t)
	if tags := must(remote.List(must(name.NewRepository(repository))(t)))(t); !slices.Equal(tags, []string{"1.2.3-rc.1"}) {
		t.Errorf("the repository has the tags %v", tags)
	}

	server.Close()
	if _, err := build(t, "1.2.3", out, repository); err == nil || !strings.Contains(err.Error(), strings.TrimPrefix(server.URL, "http://")) {
		t.Errorf("got error %v, want an error that lists the pushed tags", err)
	}
}
