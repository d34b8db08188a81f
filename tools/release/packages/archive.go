package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// filesIn lists the files in an archive.
func filesIn(path string) ([]string, error) {
	if strings.HasSuffix(path, ".zip") {
		return filesInZip(path)
	}
	return filesInTar(path)
}

func filesInZip(path string) ([]string, error) {
	opened, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }()

	var names []string
	for _, file := range opened.File {
		names = append(names, file.Name)
	}
	return names, nil
}

func filesInTar(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}

	var names []string
	for opened := tar.NewReader(unzipped); ; {
		header, err := opened.Next()
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
		names = append(names, header.Name)
	}
}

// readTag reads the tag of the release as it stands in addresses: a snapshot is of the next
// version, but has the tag of the last one.
func readTag(dist string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dist, "metadata.json"))
	if err != nil {
		return "", err
	}
	var metadata struct{ Tag string }
	if err := json.Unmarshal(text, &metadata); err != nil {
		return "", err
	}
	if metadata.Tag == "" {
		return "", errors.New("metadata.json names no tag")
	}
	return url.PathEscape(metadata.Tag), nil
}
