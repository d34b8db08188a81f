package main

import (
	"archive/tar"
	"bufio"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// programPath is where ko puts the program.
const programPath = "ko-app/posthog-testserver"

// machines are the ELF machine types of the platforms.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// check reads an archive back and describes its contents. It runs the program for this
// machine.
func check(ctx context.Context, path, folder string) (string, error) {
	index, err := readArchive(path, filepath.Join(folder, "layout"))
	if err != nil {
		return "", err
	}
	if err := validate.Index(index); err != nil {
		return "", fmt.Errorf("is no valid image: %w", err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		return "", err
	}

	var found []string
	var described strings.Builder
	for _, m := range manifest.Manifests {
		image, err := index.Image(m.Digest)
		if err != nil {
			return "", err
		}
		name := m.Platform.OS + "/" + m.Platform.Architecture
		size, err := checkImage(ctx, image, m.Platform.Architecture, filepath.Join(folder, m.Platform.Architecture))
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		found = append(found, name)
		fmt.Fprintf(&described, "%s %s: the program of %.1f MB, and licences\n", name, m.Digest, float64(size)/1e6)
	}
	if !slices.Equal(found, platforms) {
		return "", fmt.Errorf("is for %v, want %v", found, platforms)
	}
	return described.String(), nil
}

// checkImage checks the settings and files of the image for a platform.
func checkImage(ctx context.Context, image v1.Image, architecture, folder string) (size int64, err error) {
	config, err := image.ConfigFile()
	if err != nil {
		return 0, err
	}
	settings := config.Config
	_, exposed := settings.ExposedPorts[port]
	switch {
	case config.OS != "linux" || config.Architecture != architecture:
		return 0, fmt.Errorf("says that it is for %s/%s", config.OS, config.Architecture)
	case !slices.Equal(settings.Entrypoint, []string{"/" + programPath}):
		return 0, fmt.Errorf("starts %v", settings.Entrypoint)
	case !slices.Equal(settings.Cmd, arguments) || !exposed:
		return 0, fmt.Errorf("starts with %v and exposes %v", settings.Cmd, settings.ExposedPorts)
	case settings.User != user:
		return 0, fmt.Errorf("runs as user %q", settings.User)
	}
	for label := range labels("") {
		if settings.Labels[label] == "" {
			return 0, fmt.Errorf("has no label %s", label)
		}
	}

	path := filepath.Join(folder, "posthog-testserver")
	if size, err = extract(image, path); err != nil {
		return 0, err
	}
	if err := checkProgram(path, machines[architecture]); err != nil {
		return 0, err
	}
	if runtime.GOOS == "linux" && runtime.GOARCH == architecture {
		return size, tryProgram(ctx, path)
	}
	return size, nil
}

// extract writes the program to a path. The image must have no other file but licences.
func extract(image v1.Image, path string) (size int64, err error) {
	content := mutate.Extract(image)
	defer func() { _ = content.Close() }()
	files := tar.NewReader(content)
	for texts := 0; ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) && size > 0 && texts > 0 {
			return size, nil
		}
		switch {
		case errors.Is(err, io.EOF) && size > 0:
			return 0, errors.New("has no licence texts")
		case errors.Is(err, io.EOF):
			return 0, errors.New("does not have the program")
		case err != nil:
			return 0, err
		case header.Typeflag == tar.TypeDir:
			continue
		case isLicence(header.Name):
			texts++
			continue
		case strings.TrimPrefix(header.Name, "/") != programPath:
			return 0, fmt.Errorf("has the file %s", header.Name)
		case header.Mode&0o111 == 0:
			return 0, errors.New("has a program that cannot be executed")
		}
		size = header.Size
		if err := unpack(files, filepath.Dir(path), filepath.Base(path)); err != nil {
			return 0, err
		}
	}
}

// checkProgram checks that the program is statically linked.
func checkProgram(path string, machine elf.Machine) error {
	file, err := elf.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	libraries, err := file.ImportedLibraries()
	switch {
	case err != nil:
		return err
	case len(libraries) > 0:
		return fmt.Errorf("the program needs %v", libraries)
	case file.Machine != machine:
		return fmt.Errorf("the program is for %s", file.Machine)
	}
	return nil
}

// tryProgram starts the program and asks for its health.
func tryProgram(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if err := os.Chmod(path, 0o700); err != nil {
		return err
	}
	server := exec.CommandContext(ctx, path, "-listen", "127.0.0.1:0")
	server.Env = []string{}
	printed, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	defer func() {
		cancel()
		_ = server.Wait()
	}()

	line, err := bufio.NewReader(printed).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the program does not start: %w", err)
	}
	address := strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/_testserver/health", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the program is not healthy: %s", response.Status)
	}
	return nil
}
