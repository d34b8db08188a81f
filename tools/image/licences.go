package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// licenceFolder is where the image has the licences of what the program is made of: a folder
// for each Go module.
const licenceFolder = "licenses"

// licenceFile matches the files of a module whose texts have to go with a copy of it.
var licenceFile = regexp.MustCompile(`(?i)^(LICEN[CS]E|COPYING|NOTICE|PATENTS)([.-].*)?$`)

// linked is the part of a package in the output of "go list -deps -json" that is used here.
type linked struct {
	Standard bool
	Root     string
	Module   *struct{ Path, Dir string }
}

// licences are the licence texts of all modules that the program links, of the standard library and
// of the scripts that it serves, by their path in the image. A module without a licence is an error.
func licences(ctx context.Context, root string) (map[string][]byte, error) {
	folders, err := linkedModules(ctx, root)
	if err != nil {
		return nil, err
	}

	// The program serves scripts that are no Go modules.
	folders["posthog-js"] = filepath.Join(root, "internal", "posthogjs", "files")

	texts := map[string][]byte{}
	for module, folder := range folders {
		before := len(texts)
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if entry.IsDir() || !licenceFile.MatchString(entry.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				return nil, err
			}
			texts[path.Join(licenceFolder, module, entry.Name())] = text
		}
		if len(texts) == before {
			return nil, fmt.Errorf("%s has no licence text: it must not be passed on", module)
		}
	}
	return texts, nil
}

// linkedModules are the folders of the modules that the program links, by their paths.
func linkedModules(ctx context.Context, root string) (map[string]string, error) {
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-json=Standard,Root,Module", program)
	list.Dir = root
	list.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	output, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}

	folders := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var pkg linked
		err := decoder.Decode(&pkg)
		switch {
		case errors.Is(err, io.EOF):
			return folders, nil
		case err != nil:
			return nil, fmt.Errorf("the output of go list: %w", err)
		case pkg.Standard:
			folders["std"] = pkg.Root
		case pkg.Module != nil:
			folders[pkg.Module.Path] = pkg.Module.Dir
		}
	}
}

// withLicences adds the licence texts as a layer. No file has a date or an owner.
func withLicences(image v1.Image, texts map[string][]byte) (v1.Image, error) {
	var packed bytes.Buffer
	archive := tar.NewWriter(&packed)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		header := tar.Header{Name: name, Mode: 0o444, Size: int64(len(texts[name])), Typeflag: tar.TypeReg}
		if err := archive.WriteHeader(&header); err != nil {
			return nil, err
		}
		if _, err := archive.Write(texts[name]); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}

	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(packed.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	return mutate.AppendLayers(image, layer)
}

// isLicence reports whether a file of the image is a licence text.
func isLicence(name string) bool { return strings.HasPrefix(name, licenceFolder+"/") }
