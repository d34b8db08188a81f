package export

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// The files of an export besides those of objects.
const (
	providerFile = "posthog.tf"
	flagFile     = "feature_flags.tf"
)

// body writes the content of a file below its header.
type body func(io.Writer) error

// files are the files of the export by name.
func (x *run) files() (map[string]body, error) {
	files := map[string]body{}
	provider, err := x.providerFile()
	if err != nil {
		return nil, err
	}
	if provider != nil {
		files[providerFile] = provider
	}
	if flags := x.flagFile(); flags != nil {
		files[flagFile] = flags
	}

	slices.SortFunc(x.entries, func(a, b entry) int {
		return cmp.Or(-cmp.Compare(a.Key.Type, b.Key.Type), cmp.Compare(a.Label, b.Label))
	})
	x.dropFormer()

	byFile := map[string][]entry{}
	for _, e := range x.entries {
		name := x.fileOf(e)
		byFile[name] = append(byFile[name], e)
	}
	for name, entries := range byFile {
		files[name] = x.objects(entries)
	}
	return files, nil
}

// objects writes objects with a blank line between them.
func (x *run) objects(entries []entry) body {
	return func(w io.Writer) error {
		for i, e := range entries {
			if i > 0 {
				if _, err := io.WriteString(w, "\n"); err != nil {
					return err
				}
			}
			if err := x.blocks(w, e); err != nil {
				return err
			}
		}
		return nil
	}
}

// blocks writes the blocks of an object: moved blocks, import block and resource.
func (x *run) blocks(w io.Writer, e entry) error {
	for i, from := range e.former {
		to := e.Address
		if i+1 < len(e.former) {
			to = e.former[i+1]
		}
		if _, err := fmt.Fprintf(w, "%s\n\n", hclfile.Moved(from, to)); err != nil {
			return err
		}
	}
	if err := x.spool.copyTo(w, e.text); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// plain writes blocks with a blank line between them.
func plain(blocks ...[]byte) body {
	return func(w io.Writer) error {
		for i, block := range blocks {
			if i > 0 {
				block = append([]byte("\n"), block...)
			}
			if _, err := fmt.Fprintf(w, "%s\n", block); err != nil {
				return err
			}
		}
		return nil
	}
}

// print writes all files to w.
func (x *run) print(w io.Writer) error {
	files, err := x.files()
	if err != nil {
		return err
	}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := files[name](w); err != nil {
			return err
		}
	}
	return nil
}
