package survey

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// privateState is the part of a response's private state that is needed here.
type privateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// remembered reads what is remembered of the service's spellings.
func remembered(ctx context.Context, private privateState, diags *diag.Diagnostics) attribute.Memory {
	raw, found := private.GetKey(ctx, attribute.MemoryKey)
	diags.Append(found...)
	memory, err := attribute.ReadMemory(raw)
	if err != nil {
		diags.AddWarning("What the provider remembered of the survey is unreadable",
			err.Error()+". Texts that the service stores in another form than they were written may show as changed once.")
	}
	return memory
}

// configuredIn tells which attributes a configuration sets. Those of a question
// all count: a question is configured as a whole.
func configuredIn(raw tftypes.Value) func(string) bool {
	attributes := map[string]tftypes.Value{}
	err := raw.As(&attributes)
	return func(name string) bool {
		value, ok := attributes[name]
		return strings.HasPrefix(name, "questions/") || err == nil && ok && !value.IsNull()
	}
}

// warnOfChanges says, once, which texts the service stored in another form than
// they were written in.
func warnOfChanges(ctx context.Context, changed []string, f Fields, diags *diag.Diagnostics) {
	var names []string
	for _, name := range changed {
		names = append(names, spelled(ctx, name, f.Questions, diags))
	}
	if len(names) == 0 {
		return
	}
	at, _, _ := strings.Cut(changed[0], "/")
	diags.AddAttributeWarning(path.Root(at), "The service stored something else than was written",
		fmt.Sprintf("Survey %s: the service changed %s: it cleans HTML, trims blanks, and fills in or drops what it does not take. "+
			"The state keeps what the configuration says, and later plans show a difference only when the stored value changes again. "+
			"To see what is stored, read the survey with the data source posthog_survey.", f.Name, strings.Join(names, ", ")))
}

// spelled turns the name under which a change is remembered into the path of the
// attribute: questions/ID/description into questions[1].description.
func spelled(ctx context.Context, name string, list types.List, diags *diag.Diagnostics) string {
	parts := strings.Split(name, "/")
	if len(parts) != 3 {
		return name
	}
	place := parts[1]
	all, _ := questions(ctx, list, diags)
	for i, question := range all {
		if question.ID.ValueString() == parts[1] {
			place = fmt.Sprint(i)
		}
	}
	return fmt.Sprintf("questions[%s].%s", place, parts[2])
}
