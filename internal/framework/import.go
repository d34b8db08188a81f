package framework

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Importable defines how a resource type's objects are imported: by PARENT/ID, by ID, or by identity.
type Importable struct {
	// Noun is the noun for an object in errors.
	Noun   string
	Parent Parent
	// ID parses an ID, and returns false for any other text.
	ID func(text string) (attr.Value, bool)
	// Form describes the format of an import ID.
	Form string
}

// Import implements resource.ResourceWithImportState.
func (i Importable) Import(ctx context.Context, data *Data, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	parent, text, isWhole := strings.Cut(req.ID, "/")
	if !isWhole {
		parent, text = "", req.ID
	}
	if req.ID == "" && req.Identity != nil {
		identity, _ := attribute.Plain(req.Identity.Raw).(map[string]any)
		parent, text = jsonvalue.String(identity[i.Parent.argument()]), jsonvalue.String(identity["id"])
	}

	id, ok := i.ID(text)
	if !ok || isWhole && parent == "" {
		resp.Diagnostics.AddError(fmt.Sprintf("Could not import %s %q", i.Noun, cmp.Or(req.ID, text)), i.Form)
		return
	}
	parentID, ok := i.Parent.Find(data, types.StringValue(parent), &resp.Diagnostics)
	if !ok {
		return
	}

	for name, value := range map[string]attr.Value{i.Parent.argument(): parentID, "id": id} {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
		if resp.Identity != nil {
			resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(name), value)...)
		}
	}
}
