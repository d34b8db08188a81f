package export

import (
	"maps"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// flagFile is nil when no flag is referred to, and when another file declares the variable.
func (x *run) flagFile() body {
	ids := maps.Clone(x.flagIDs)
	if x.keptAny || !x.writes(hclfile.SurveyType) {
		for key, id := range x.directory.FlagIDs {
			if _, known := ids[key]; !known {
				ids[key] = id
			}
		}
	}
	if file := x.directory.Written.FlagVariable; len(ids) == 0 || file != "" && x.directory.Ownership[file] == exportdir.Foreign {
		return nil
	}
	return plain(hclfile.FlagVariableBlock(ids))
}
