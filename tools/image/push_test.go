package main

import (
	"bytes"
	"io"
	"log"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// What was pushed to a registry is pulled from it again.
func TestPush(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	repository := strings.TrimPrefix(server.URL, "http://") + "/surveys-as-code/posthog-testserver"

	image := imageWith(t, func(*v1.Config) {}, programPath)
	index := mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex),
		mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: platformOf("linux/amd64")}})
	archive := filepath.Join(t.TempDir(), "image.tar")
	if err := writeArchive(index, filepath.Join(t.TempDir(), "layout"), archive); err != nil {
		t.Fatal(err)
	}
	want, err := index.Digest()
	if err != nil {
		t.Fatal(err)
	}

	var printed bytes.Buffer
	if err := push(t.Context(), archive, repository, "1.2.3", &printed); err != nil {
		t.Fatal(err)
	}
	if got := printed.String(); got != repository+"@"+want.String()+"\n" {
		t.Errorf("printed %q, want the digest %s", got, want)
	}

	for _, tag := range []string{"1.2.3", "latest"} {
		reference, err := name.ParseReference(repository + ":" + tag)
		if err != nil {
			t.Fatal(err)
		}
		pulled, err := remote.Index(reference)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate.Index(pulled); err != nil {
			t.Error(err)
		}
		if got, err := pulled.Digest(); err != nil || got != want {
			t.Errorf("%s is %s, want %s (%v)", tag, got, want, err)
		}
	}
}

func TestPushSaysWhere(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	server.Close()
	repository := strings.TrimPrefix(server.URL, "http://") + "/posthog-testserver"

	archive := filepath.Join(t.TempDir(), "image.tar")
	index := mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: imageWith(t, func(*v1.Config) {}, programPath)})
	if err := writeArchive(index, filepath.Join(t.TempDir(), "layout"), archive); err != nil {
		t.Fatal(err)
	}
	err := push(t.Context(), archive, repository, "1.2.3", io.Discard)
	if err == nil || !strings.Contains(err.Error(), "pushing "+repository+":1.2.3") {
		t.Errorf("error %v, want one that names what was pushed", err)
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	for version, want := range map[string][]string{"1.2.3": {"1.2.3", "latest"}, "1.2.3-rc.1": {"1.2.3-rc.1"}} {
		if got := tags(version); !slices.Equal(got, want) {
			t.Errorf("tags of %s: %v, want %v", version, got, want)
		}
	}
}
