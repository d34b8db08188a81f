package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
	ko "github.com/google/ko/pkg/build"
)

const (
	program = "github.com/surveys-as-code/terraform-provider-posthog/cmd/posthog-testserver"
	// user is an unprivileged user, by its number: the image has no /etc/passwd.
	user = "65532:65532"
	port = "8000/tcp"
	// licence is that of this module, by its SPDX identifier.
	licence = "MPL-2.0"
)

// arguments are the default arguments of a container: the server listens on all addresses,
// since the loopback interface cannot be reached from outside. From there it may be called by
// addresses and by names without a dot, as containers call each other; no web site can have
// the names of the container's host either.
var arguments = []string{"-listen", "0.0.0.0:8000", "-host", "host.docker.internal", "-host", "host.containers.internal"}

// labels say what an image is, in the words of the OCI specification.
func labels(version string) map[string]string {
	return map[string]string{
		"org.opencontainers.image.title":       "posthog-testserver",
		"org.opencontainers.image.description": "Reference test server for surveys and pipeline import apps, in memory",
		"org.opencontainers.image.source":      "https://github.com/surveys-as-code/terraform-provider-posthog",
		"org.opencontainers.image.version":     version,
		"org.opencontainers.image.licenses":    licence,
	}
}

// build builds the image of a version for all platforms.
func build(ctx context.Context, root, version string) (v1.ImageIndex, error) {
	texts, err := licences(ctx, root)
	if err != nil {
		return nil, err
	}

	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, platform := range platforms {
		image, err := buildFor(ctx, root, platform, labels(version))
		if err == nil {
			image, err = withLicences(image, texts)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", platform, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image, Descriptor: v1.Descriptor{Platform: platformOf(platform)},
		})
	}
	return index, nil
}

// buildFor builds the image for a platform.
func buildFor(ctx context.Context, root, platform string, labels map[string]string) (v1.Image, error) {
	base, err := emptyBase(platform)
	if err != nil {
		return nil, err
	}
	reference, err := name.ParseReference("empty.invalid/base")
	if err != nil {
		return nil, err
	}
	builder, err := ko.NewGo(ctx, root,
		ko.WithBaseImages(func(context.Context, string) (name.Reference, ko.Result, error) { return reference, base, nil }),
		ko.WithPlatforms(platform), ko.WithTrimpath(true), ko.WithDisabledSBOM(), ko.WithUser(user),
		// No date, so that the same source gives the same image.
		ko.WithCreationTime(v1.Time{Time: time.Unix(0, 0)}), ko.WithKoDataCreationTime(v1.Time{Time: time.Unix(0, 0)}),
		ko.WithDefaultEnv([]string{"CGO_ENABLED=0"}), ko.WithDefaultLdflags([]string{"-s", "-w"}),
	)
	if err != nil {
		return nil, err
	}

	built, err := builder.Build(ctx, ko.StrictScheme+program)
	if err != nil {
		return nil, err
	}
	image, ok := built.(v1.Image)
	if !ok {
		return nil, fmt.Errorf("ko built a %T, want an image", built)
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	started := config.Config
	started.Cmd = arguments
	started.Labels = labels
	started.ExposedPorts = map[string]struct{}{port: {}}
	return mutate.Config(image, started)
}

// emptyBase is an image without files.
func emptyBase(platform string) (v1.Image, error) {
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	config, err := base.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = platformOf(platform).OS, platformOf(platform).Architecture
	return mutate.ConfigFile(base, config)
}

func platformOf(platform string) *v1.Platform {
	system, architecture, _ := strings.Cut(platform, "/")
	return &v1.Platform{OS: system, Architecture: architecture}
}
