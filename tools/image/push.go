package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// push sends the image in an archive to a repository, under each of its tags, and prints
// the digest by which it can be pinned and attested.
func push(ctx context.Context, archive, repository, version string, out io.Writer) error {
	folder, err := os.MkdirTemp("", "push")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	index, err := readArchive(archive, folder)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}

	for _, tag := range tags(version) {
		reference, err := name.NewTag(repository + ":" + tag)
		if err != nil {
			return err
		}
		if err := remote.WriteIndex(reference, index, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)); err != nil {
			return fmt.Errorf("pushing %s: %w", reference, err)
		}
	}

	digest, err := index.Digest()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s@%s\n", repository, digest)
	return err
}

// tags are the tags of a version: the version, and latest unless it is a prerelease.
func tags(version string) []string {
	if strings.Contains(version, "-") {
		return []string{version}
	}
	return []string{version, "latest"}
}
