package fastpath

import (
	"bytes"
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/protocol"
)

// planner is a framework that returns the proposed state, and records its requests.
type planner struct {
	protocol.Server
	asked *tfprotov6.PlanResourceChangeRequest
	left  *tfprotov6.DynamicValue
}

func (p *planner) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	p.asked, p.left = req, UnchangedValue(ctx, "questions")
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState}, nil
}

func testSchema() schema.Schema {
	return schema.Schema{Attributes: map[string]schema.Attribute{
		"id":         schema.StringAttribute{Computed: true},
		"name":       schema.StringAttribute{Required: true},
		"project_id": schema.StringAttribute{Optional: true, Computed: true},
		"questions": schema.ListNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
			Attributes: map[string]schema.Attribute{"id": schema.StringAttribute{Optional: true, Computed: true}, "text": schema.StringAttribute{Required: true}},
		}},
	}}
}

// A change to another attribute is planned without decoding the questions, and the plan contains them unchanged.
func TestPlanWithoutUnchanged(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	asked := func(text string) []any { return []any{object{"id": nil, "text": text}} }
	prior := object{"id": "7", "name": "old", "project_id": "1", "questions": []any{object{"id": "q", "text": "Why?"}}}

	for name, c := range map[string]struct {
		config object
		left   bool
	}{
		"another name":         {object{"id": nil, "name": "new", "project_id": nil, "questions": asked("Why?")}, true},
		"another question":     {object{"id": nil, "name": "new", "project_id": nil, "questions": asked("Who?")}, false},
		"one question more":    {object{"id": nil, "name": "new", "project_id": nil, "questions": append(asked("Why?"), asked("Who?")...)}, false},
		"questions left out":   {object{"id": nil, "name": "new", "project_id": nil, "questions": nil}, false},
		"into another project": {object{"id": nil, "name": "new", "project_id": "2", "questions": asked("Why?")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			slow := &planner{}
			resource := Resource{
				Schema: testSchema(), Parent: framework.Project, Costly: "questions",
				IsComplete: func(Object, PrivateState) bool { return true },
			}
			s := &Server{Server: slow, data: func() *framework.Data { return &framework.Data{} }, resources: map[string]*servedResource{}}
			rules, err := deriveRules(t.Context(), resource.Schema.Attributes)
			require.NoError(t, err)
			s.resources["survey"] = &servedResource{Resource: resource, rules: rules}

			sorted := func(o object) *tfprotov6.DynamicValue { return &tfprotov6.DynamicValue{MsgPack: packedInOrder(t, o)} }
			resp, err := s.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
				TypeName: "survey", Config: sorted(c.config), PriorState: sorted(prior), ProposedNewState: sorted(object{
					"id": "7", "name": "new", "project_id": "1", "questions": prior["questions"],
				}),
			})
			require.NoError(t, err)

			was, err := splitObject(sorted(prior))
			require.NoError(t, err)
			shown, err := splitObject(slow.asked.Config)
			require.NoError(t, err)
			planned, err := splitObject(resp.PlannedState)
			require.NoError(t, err)

			assert.Equal(t, c.left, slow.left != nil)
			assert.Equal(t, was.raw("questions"), planned.raw("questions"))
			assert.Equal(t, "new", planned.String("name"))
			if c.left {
				assert.False(t, shown.has("questions"))
				assert.Equal(t, was.raw("questions"), slow.left.MsgPack)
			}
		})
	}
}

// packedInOrder encodes an object as Terraform does, with its attributes in order.
func packedInOrder(t *testing.T, v any) []byte {
	t.Helper()
	var out bytes.Buffer
	e := msgpack.NewEncoder(&out)
	e.SetSortMapKeys(true)
	require.NoError(t, e.Encode(v))
	return out.Bytes()
}
