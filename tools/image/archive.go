package main

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

// imageName is the name that the image has in the archive.
const imageName = "posthog-testserver:latest"

// writeArchive writes the image as an OCI layout, and that as an archive. The archive is
// reproducible: no file has a date.
func writeArchive(index v1.ImageIndex, folder, out string) (err error) {
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	// One entry for all platforms, from which the loader picks its own.
	if err := path.AppendIndex(index, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": imageName})); err != nil {
		return err
	}

	if err := os.MkdirAll(filepath.Dir(out), 0o750); err != nil {
		return err
	}
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()

	archive := tar.NewWriter(file)
	// WalkDir goes through the files in the order of their names.
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return addFile(archive, folder, path)
	})
	return errors.Join(err, archive.Close())
}

func addFile(archive *tar.Writer, folder, path string) error {
	relative, err := filepath.Rel(folder, path)
	if err != nil {
		return err
	}
	content, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	info, err := content.Stat()
	if err != nil {
		return err
	}
	if err := archive.WriteHeader(&tar.Header{Name: filepath.ToSlash(relative), Mode: 0o644, Size: info.Size()}); err != nil {
		return err
	}
	_, err = io.Copy(archive, content)
	return err
}

// readArchive unpacks an archive into a directory and reads the image in it.
func readArchive(path, folder string) (v1.ImageIndex, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()

	archive := tar.NewReader(file)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return onlyImage(folder)
		}
		if err != nil {
			return nil, err
		}
		if err := unpack(archive, folder, header.Name); err != nil {
			return nil, err
		}
	}
}

// onlyImage finds the one image of a layout, for all its platforms.
func onlyImage(folder string) (v1.ImageIndex, error) {
	all, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		return nil, err
	}
	manifest, err := all.IndexManifest()
	if err != nil {
		return nil, err
	}
	if len(manifest.Manifests) != 1 {
		return nil, fmt.Errorf("has %d images, want 1", len(manifest.Manifests))
	}
	return all.ImageIndex(manifest.Manifests[0].Digest)
}

func unpack(content io.Reader, folder, name string) (err error) {
	if !filepath.IsLocal(name) {
		return errors.New("the archive has a file outside of it: " + name)
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = io.Copy(file, content)
	return err
}
