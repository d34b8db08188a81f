// Command image builds the image of the test server as an OCI archive, with neither a daemon
// nor a base image to pull: the program, which needs no other file, and the licences of what
// it is made of.
//
// With -push the image is sent to a registry as well, with the credentials that "docker
// login" or "podman login" wrote for it.
package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// program is the name of the program in the image, which has it at its root.
const program = "posthog-testserver"

// architectures are those of the image, which is for Linux.
var architectures = []string{"amd64", "arm64"}

// config is how a container starts: as an unprivileged user, by its number, since the image
// has no /etc/passwd. The server listens on all addresses, since the loopback interface
// cannot be reached from outside. From there it may be called by addresses and by names
// without a dot, as containers call each other; no web site can have the names of the
// container's host either.
func config(version string) v1.Config {
	return v1.Config{
		User:         "65532:65532",
		Entrypoint:   []string{"/" + program},
		Cmd:          []string{"-listen", "0.0.0.0:8000", "-host", "host.docker.internal", "-host", "host.containers.internal"},
		ExposedPorts: map[string]struct{}{"8000/tcp": {}},
		Labels: map[string]string{
			"org.opencontainers.image.title":       program,
			"org.opencontainers.image.description": "Reference test server for surveys and pipeline import apps, in memory",
			"org.opencontainers.image.source":      "https://github.com/surveys-as-code/terraform-provider-posthog",
			"org.opencontainers.image.version":     version,
			"org.opencontainers.image.licenses":    "MPL-2.0",
		},
	}
}

func main() {
	root := flag.String("root", ".", "`folder` of the module")
	out := flag.String("o", "posthog-testserver.tar", "`file` for the OCI archive")
	version := flag.String("version", "0.0.1", "`version` of the image, for its label and its tag")
	repository := flag.String("push", "", "`repository` to push the image to, such as ghcr.io/OWNER/NAME; nowhere when empty")
	flag.Parse()

	if err := run(context.Background(), *root, *out, *version, *repository, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "image: %v\n", err)
		os.Exit(1)
	}
}

// run builds the image, and prints the digest by which it can be pinned and attested.
func run(ctx context.Context, root, out, version, repository string, printed io.Writer) (err error) {
	work, err := os.MkdirTemp("", "image")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()

	index, err := build(ctx, root, work, version)
	if err != nil {
		return err
	}
	if err := writeArchive(index, filepath.Join(work, "layout"), out); err != nil {
		return err
	}
	if repository != "" {
		if err := push(ctx, index, repository, version); err != nil {
			return err
		}
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(printed, "%s@%s\n", cmp.Or(repository, program), digest)
	return err
}

// build makes the image for all architectures. No file has a date or an owner, so that the
// same source gives the same image.
func build(ctx context.Context, root, work, version string) (v1.ImageIndex, error) {
	texts, err := licences(ctx, root)
	if err != nil {
		return nil, err
	}

	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, architecture := range architectures {
		binary := filepath.Join(work, architecture)
		goBuild := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, "./cmd/"+program)
		goBuild.Dir, goBuild.Stderr = root, os.Stderr
		goBuild.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+architecture, "CGO_ENABLED=0")
		if err := goBuild.Run(); err != nil {
			return nil, fmt.Errorf("go build: %w", err)
		}
		layer, err := layerOf(binary, texts)
		if err != nil {
			return nil, err
		}

		image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
		image, err = mutate.ConfigFile(image, &v1.ConfigFile{
			OS: "linux", Architecture: architecture, Config: config(version), RootFS: v1.RootFS{Type: "layers"},
		})
		if err != nil {
			return nil, err
		}
		if image, err = mutate.AppendLayers(image, layer); err != nil {
			return nil, err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: architecture}},
		})
	}
	return index, nil
}

// layerOf is the one layer of the image: the program, and the licences by their path.
func layerOf(binary string, texts map[string][]byte) (v1.Layer, error) {
	content, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}

	var packed bytes.Buffer
	archive := tar.NewWriter(&packed)
	add := func(path string, mode int64, content []byte) {
		err = errors.Join(err, archive.WriteHeader(&tar.Header{Name: path, Mode: mode, Size: int64(len(content))}))
		_, written := archive.Write(content)
		err = errors.Join(err, written)
	}
	add(program, 0o555, content)
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		add(path, 0o444, texts[path])
	}
	if err := errors.Join(err, archive.Close()); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(packed.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer))
}

// writeArchive writes the image as an OCI layout, and that as an archive. It has one entry
// for all architectures, from which the loader picks its own.
func writeArchive(index v1.ImageIndex, folder, out string) error {
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	if err := path.AppendIndex(index, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": program + ":latest"})); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o750); err != nil {
		return err
	}
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(file)
	return errors.Join(archive.AddFS(os.DirFS(folder)), archive.Close(), file.Close())
}

// push sends the image to a repository, under its version and, unless that is a prerelease,
// as the latest one.
func push(ctx context.Context, index v1.ImageIndex, repository, version string) error {
	tags := []string{version}
	if !strings.Contains(version, "-") {
		tags = append(tags, "latest")
	}
	for _, tag := range tags {
		reference, err := name.NewTag(repository + ":" + tag)
		if err != nil {
			return err
		}
		if err := remote.WriteIndex(reference, index, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)); err != nil {
			return fmt.Errorf("pushing %s: %w", reference, err)
		}
	}
	return nil
}
