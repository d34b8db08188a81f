package code

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/zclconf/go-cty/cty"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// FlagVariable is the name of the variable that maps the keys of feature flags to IDs.
const FlagVariable = "feature_flag_ids"

// Options are options for the configuration of surveys.
type Options struct {
	// BranchingByPlace writes branching targets as positions, and the questions as a plain list. Otherwise, a
	// survey with branching uses the questions function.
	BranchingByPlace bool
	// QuestionIDs writes the IDs of all questions.
	QuestionIDs bool
	// StatedIDs contains further question IDs to write. OpenIDs are never written, because a written ID counts
	// as a decision about which question it identifies.
	StatedIDs, OpenIDs []string
}

func (o Options) ids() surveyschema.ConfigurationOptions {
	return surveyschema.ConfigurationOptions{QuestionIDs: o.QuestionIDs, StatedIDs: o.StatedIDs, OpenIDs: o.OpenIDs}
}

// Survey returns the configuration of a survey.
func Survey(ctx context.Context, wire api.Survey, projectID string, o Options) (*Object, error) {
	id := ""
	if wire.ID != nil {
		id = *wire.ID
	}
	c, err := surveyschema.ConfigurationFromAPI(ctx, wire, projectID, o.ids())
	if err != nil {
		return nil, fmt.Errorf("survey %s: %w", id, err)
	}

	object := &Object{
		Address:  NewAddress(SurveyType, c.Name.ValueString(), id),
		ImportID: projectID + "/" + id,
		Name:     c.Name.ValueString(),
		Flags:    map[string]int64{},
	}
	tokens := map[string]hclwrite.Tokens{"questions": questions(c.Questions.List(), o)}
	for name, flag := range map[string]types.Int64{"linked_flag_id": c.LinkedFlagID, "targeting_flag_id": c.TargetingFlagID} {
		if key, ok := c.FlagKeys[flag.ValueInt64()]; ok && !flag.IsNull() {
			tokens[name] = flagReference(key)
			object.Flags[key] = flag.ValueInt64()
		}
	}
	object.arguments = arguments(&c.Fields, tokens)
	return object, nil
}

// flagReference returns a reference to a flag by its key, which is the same in every project.
func flagReference(key string) hclwrite.Tokens {
	return hclwrite.TokensForTraversal(hcl.Traversal{
		hcl.TraverseRoot{Name: "var"},
		hcl.TraverseAttr{Name: FlagVariable},
		hcl.TraverseIndex{Key: cty.StringVal(key)},
	})
}

// FlagVariableBlock declares the variable for feature flags. Its default contains the IDs of one
// environment.
func FlagVariableBlock(ids map[string]int64) []byte {
	defaults := make(map[string]any, len(ids))
	for key, id := range ids {
		defaults[key] = json.Number(strconv.FormatInt(id, 10))
	}
	file := hclwrite.NewEmptyFile()
	variable := file.Body().AppendNewBlock("variable", []string{FlagVariable}).Body()
	variable.SetAttributeRaw("description", quotedTokens("Feature flag IDs by key. Each environment has its own IDs."))
	variable.SetAttributeRaw("type", hclwrite.TokensForFunctionCall("map", hclwrite.TokensForIdentifier("number")))
	variable.SetAttributeRaw("default", Literal(defaults, topLevel, nil))
	return trimmedBytes(file)
}

// App returns the configuration of an import app.
func App(wire api.PipelineImportApp, organizationID string) *Object {
	id := ""
	if wire.ID != nil {
		id = strconv.FormatInt(*wire.ID, 10)
	}
	c := importapp.ConfigurationFromAPI(wire, organizationID)
	name := c.Name.ValueString()

	// Anyone who can read the configuration could read a secret in it.
	schema, withheld := importapp.WithoutSecretDefaults(c.ConfigSchema)
	c.ConfigSchema = schema
	return &Object{
		Address:   NewAddress(AppType, name, id),
		ImportID:  organizationID + "/" + id,
		Name:      name,
		Withheld:  withheld,
		arguments: arguments(&c, nil),
	}
}

// ProviderSource is the provider's source address. It has no host, so that each CLI uses its default
// registry.
const ProviderSource = "surveys-as-code/posthog"

// IsProviderSource reports whether a source address identifies this provider in any registry.
func IsProviderSource(source string) bool {
	return source == ProviderSource || strings.HasSuffix(source, "/"+ProviderSource)
}

// RequiredProviders returns the block that requires the provider.
func RequiredProviders() []byte {
	file := hclwrite.NewEmptyFile()
	required := file.Body().AppendNewBlock("terraform", nil).Body().AppendNewBlock("required_providers", nil).Body()
	required.SetAttributeRaw("posthog", objectTokens([]entry{{"source", quotedTokens(ProviderSource)}}))
	return trimmedBytes(file)
}

// ProviderBlock returns the block that configures the provider for a project and an organization. It
// omits empty IDs.
func ProviderBlock(projectID, organizationID string) []byte {
	file := hclwrite.NewEmptyFile()
	provider := file.Body().AppendNewBlock("provider", []string{"posthog"}).Body()
	if projectID != "" {
		provider.SetAttributeValue("project_id", cty.StringVal(projectID))
	}
	if organizationID != "" {
		provider.SetAttributeValue("organization_id", cty.StringVal(organizationID))
	}
	return trimmedBytes(file)
}
