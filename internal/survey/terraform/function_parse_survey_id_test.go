package terraform

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const parsedID = "0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17"

// parse calls the function, and returns its result or its error.
func parse(t *testing.T, text string) (types.Object, *function.FuncError) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	resp := function.RunResponse{Result: function.NewResultData(types.ObjectUnknown(parsedSurveyType))}
	NewParseSurveyIDFunction().Run(ctx, function.RunRequest{Arguments: function.NewArgumentsData([]attr.Value{types.StringValue(text)})}, &resp)
	if resp.Error != nil {
		return types.Object{}, resp.Error
	}
	object, ok := resp.Result.Value().(types.Object)
	require.True(t, ok)
	return object, nil
}

// Any common reference to a survey is parsed into its project and ID.
func TestParseSurveyID(t *testing.T) {
	t.Parallel()
	for text, project := range map[string]string{
		parsedID:                    "",
		"12345/" + parsedID:         "12345",
		" 12345/" + parsedID + "\n": "12345",
		"https://us.posthog.com/project/12345/surveys/" + parsedID:                     "12345",
		"https://us.posthog.com/project/12345/surveys/" + parsedID + "?edit=true#tab":  "12345",
		"https://host/tenants/project/9/project/12345/surveys/" + parsedID + "/":       "12345",
		"https://us.posthog.com/surveys/" + parsedID:                                   "",
		"https://eu.posthog.com/api/projects/12345/surveys/" + parsedID + "/activity/": "12345",
		"https://us.posthog.com/api/environments/12345/surveys/" + parsedID:            "12345",
		"https://us.posthog.com/external_surveys/" + parsedID + "/":                    "",
		"us.posthog.com/project/12345/surveys/" + parsedID:                             "12345",
		"/project/12345/surveys/" + parsedID:                                           "12345",
	} {
		object, failed := parse(t, text)
		require.Nil(t, failed, text)
		wantProject, wantImport := types.StringNull(), types.StringValue(parsedID)
		if project != "" {
			wantProject, wantImport = types.StringValue(project), types.StringValue(project+"/"+parsedID)
		}
		assert.Equal(t, map[string]attr.Value{"project_id": wantProject, "id": types.StringValue(parsedID), "import_id": wantImport}, object.Attributes(), text)
	}
}

// Any other text causes an error on the argument. The error lists the accepted forms.
func TestParseSurveyIDRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "nope", "12345", "12345/", "12345/nope", "1/2/" + parsedID, "https://us.posthog.com/" + parsedID, "https://us.posthog.com/project/12345/surveys",
		"https://us.posthog.com/project/12345/surveys/new", "https://us.posthog.com/project/12345/feature_flags/7", "urn:uuid:" + parsedID, "{" + parsedID + "}", "%zz",
	} {
		_, failed := parse(t, text)
		require.NotNil(t, failed, text)
		assert.Contains(t, failed.Text, "is not a survey URL, such as https://us.posthog.com/project/12345/surveys/", text)
		assert.Equal(t, int64(0), *failed.FunctionArgument)
	}
}
