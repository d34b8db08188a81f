package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/hashicorp/hc-install/releases"
)

const (
	release     = "1.2.3"
	programText = "the program"
)

// site is a copy of the site with the releases, signed by a separate key: files by their names.
type site struct {
	files     map[string][]byte
	publicKey string
}

// newSite releases one version of a program.
func newSite(t *testing.T) *site {
	t.Helper()
	archive := fmt.Sprintf("terraform_%s_%s_%s.zip", release, runtime.GOOS, runtime.GOARCH)
	sums, signature := "terraform_"+release+"_SHA256SUMS", "terraform_"+release+"_SHA256SUMS.sig"
	s := &site{files: map[string][]byte{archive: zipped(t)}}
	s.files[sums] = fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(s.files[archive]), archive)
	s.files[signature] = s.sign(t, s.files[sums])

	index, err := json.Marshal(map[string]any{
		"name": "terraform", "version": release, "shasums": sums, "shasums_signature": signature, "shasums_signatures": []string{signature},
		"builds": []map[string]string{{
			"name": "terraform", "version": release, "os": runtime.GOOS, "arch": runtime.GOARCH, "filename": archive,
			"url": "https://releases.example/terraform/" + release + "/" + archive,
		}},
	})
	check(t, err)
	s.files["index.json"] = index
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func zipped(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("terraform")
	check(t, err)
	_, err = f.Write([]byte(programText))
	check(t, err)
	check(t, w.Close())
	return b.Bytes()
}

// sign signs a text with a new key, which becomes the site's key.
func (s *site) sign(t *testing.T, text []byte) []byte {
	t.Helper()
	signer, err := openpgp.NewEntity("test", "", "test@example.com", nil)
	check(t, err)
	var key, signature bytes.Buffer
	w, err := armor.Encode(&key, openpgp.PublicKeyType, nil)
	check(t, err)
	check(t, signer.Serialize(w))
	check(t, w.Close())
	s.publicKey = key.String()
	check(t, openpgp.DetachSign(&signature, signer, bytes.NewReader(text), nil))
	return signature.Bytes()
}

// ServeHTTP serves the files of the release. A file without contents never arrives.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutPrefix(r.URL.Path, "/terraform/"+release+"/")
	file, known := s.files[name]
	switch {
	case !ok || !known:
		http.NotFound(w, r)
	case file == nil:
		<-r.Context().Done()
	default:
		if filepath.Ext(name) == ".json" {
			w.Header().Set("Content-Type", "application/json")
		}
		_, _ = w.Write(file)
	}
}

// installFrom installs the release from a site, and returns the names and contents of what is then in the folder.
func installFrom(t *testing.T, ctx context.Context, s *site) (map[string]string, error) {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	folder := filepath.Join(t.TempDir(), "bin")
	failed := install(ctx, releases.ExactVersion{ApiBaseURL: server.URL, ArmoredPublicKey: s.publicKey, HTTPClient: server.Client()}, release, folder)

	entries, err := os.ReadDir(folder)
	check(t, err)
	contents := map[string]string{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		check(t, err)
		contents[entry.Name()] = string(text)
	}
	return contents, failed
}

func TestInstalls(t *testing.T) {
	t.Parallel()
	contents, err := installFrom(t, t.Context(), newSite(t))
	check(t, err)
	if len(contents) != 1 || contents["terraform"] != programText {
		t.Errorf("the folder contains %v", contents)
	}
}

// TestInstallsNothing leaves nothing in the folder when the release is not what its signer released.
func TestInstallsNothing(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(s *site){
		"does not have the checksum": func(s *site) {
			for name := range s.files {
				if strings.HasSuffix(name, ".zip") {
					s.files[name] = append(s.files[name], 0)
				}
			}
		},
		"unable to verify checksums signature": func(s *site) { s.publicKey = newSite(t).publicKey },
		"failed to download signature":         func(s *site) { delete(s.files, "terraform_"+release+"_SHA256SUMS.sig") },
		"404":                                  func(s *site) { delete(s.files, "index.json") },
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			change(s)
			contents, err := installFrom(t, t.Context(), s)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("install returned error %v", err)
			}
			if len(contents) > 0 {
				t.Errorf("the folder contains %v", contents)
			}
		})
	}
}

// TestInstallEnds ends with the context, although the program never arrives.
func TestInstallEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	ctx, cancel := context.WithCancel(t.Context())
	for name := range s.files {
		if strings.HasSuffix(name, ".zip") {
			s.files[name] = nil
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".zip") {
			cancel()
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	folder := t.TempDir()
	err := install(ctx, releases.ExactVersion{ApiBaseURL: server.URL, ArmoredPublicKey: s.publicKey, HTTPClient: server.Client()}, release, folder)
	entries, readErr := os.ReadDir(folder)
	check(t, readErr)
	if err == nil || len(entries) > 0 {
		t.Errorf("install returned error %v and left the files %v", err, entries)
	}
}
