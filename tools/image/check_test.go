package main

import (
	"archive/tar"
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// imageWith is an image as it is built, but for its files and what change does.
func imageWith(t *testing.T, change func(*v1.Config), files ...string) v1.Image {
	t.Helper()
	var packed bytes.Buffer
	archive := tar.NewWriter(&packed)
	for _, name := range files {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: 4}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte("text")); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(packed.Bytes())), nil })
	if err != nil {
		t.Fatal(err)
	}

	image, err := emptyBase("linux/amd64")
	if err != nil {
		t.Fatal(err)
	}
	config := v1.Config{Entrypoint: []string{"/" + programPath}, Cmd: arguments, User: user, ExposedPorts: map[string]struct{}{port: {}}, Labels: labels("1.2.3")}
	change(&config)
	if image, err = mutate.Config(image, config); err != nil {
		t.Fatal(err)
	}
	if image, err = mutate.AppendLayers(image, layer); err != nil {
		t.Fatal(err)
	}
	return image
}

func TestCheckRefuses(t *testing.T) {
	t.Parallel()
	same := func(*v1.Config) {}
	for _, row := range []struct {
		image     v1.Image
		complaint string
	}{
		{imageWith(t, same, programPath, "licenses/std/LICENSE"), "EOF"},
		{imageWith(t, same, programPath), "has no licence texts"},
		{imageWith(t, func(c *v1.Config) { delete(c.Labels, "org.opencontainers.image.source") }, programPath), "has no label org.opencontainers.image.source"},
		{imageWith(t, same), "does not have the program"},
		{imageWith(t, same, programPath, "etc/passwd"), "has the file etc/passwd"},
		{imageWith(t, func(c *v1.Config) { c.User = "" }, programPath), `runs as user ""`},
		{imageWith(t, func(c *v1.Config) { c.Entrypoint = nil }, programPath), "starts []"},
		{imageWith(t, func(c *v1.Config) { c.Cmd = nil }, programPath), "starts with []"},
		{imageWith(t, func(c *v1.Config) { c.ExposedPorts = nil }, programPath), "exposes map[]"},
	} {
		_, err := checkImage(t.Context(), row.image, "amd64", t.TempDir())
		if err == nil || !strings.Contains(err.Error(), row.complaint) {
			t.Errorf("the complaint is %v, want %q", err, row.complaint)
		}
	}
	if _, err := check(t.Context(), filepath.Join(t.TempDir(), "missing.tar"), t.TempDir()); err == nil {
		t.Error("an archive that is not there is checked")
	}
}
