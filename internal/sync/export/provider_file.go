package export

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// providerFile is nil when other files require the provider and there is nothing to add.
func (x *run) providerFile() (body, error) {
	written := x.directory.Written
	if written.Source != "" && !hclfile.IsProviderSource(written.Source) {
		return nil, fmt.Errorf("%s requires %s under the name posthog, and the export is for %s: choose another directory",
			written.SourceFile, written.Source, hclfile.ProviderSource)
	}
	owner, exists := x.directory.Ownership[providerFile]
	if exists && (owner != exportdir.Owned || !x.ProviderBlock) {
		return x.ownProviderFile(owner), nil
	}

	var blocks [][]byte
	if written.Source == "" {
		blocks = append(blocks, hclfile.RequiredProviders())
	}
	if x.ProviderBlock && written.ProviderBlock == "" {
		blocks = append(blocks, hclfile.ProviderBlock(x.ProjectID, x.OrganizationID))
	}
	if len(blocks) == 0 {
		return nil, nil //nolint:nilnil // no file is needed
	}
	return plain(blocks...), nil
}

// ownProviderFile keeps the file of an earlier export. A file that somebody edited is left
// to them: it requires the provider, which is all that is needed.
func (x *run) ownProviderFile(owner exportdir.Ownership) body {
	if owner != exportdir.Owned {
		return nil
	}
	return func(w io.Writer) error {
		text, err := os.ReadFile(filepath.Join(x.directory.Path, providerFile))
		if err != nil {
			return err
		}
		_, rest, _ := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n\n")
		_, err = io.WriteString(w, rest)
		return err
	}
}
