package officialprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// What the stand-in creates has these ids: flags and cohorts the number, all else the UUID. A
// test server that is to know them has them in its fixtures.
const (
	ID   = 41
	UUID = "0190d6a4-7e1c-7b52-a3f0-00000000ffff"
)

// officialResource keeps what is planned, under an id.
type officialResource struct {
	typeName string
	schema   schema.Schema
}

func (r officialResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.typeName
}

func (r officialResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.schema
}

func (officialResource) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = made(req.Plan.Raw)
}

func (officialResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (officialResource) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = made(req.Plan.Raw)
}

func (officialResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// made is a planned object with an id, and with null for whatever else is unknown.
func made(planned tftypes.Value) tftypes.Value {
	object, err := tftypes.Transform(planned, func(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		switch {
		case value.IsKnown():
			return value, nil
		case at.Equal(tftypes.NewAttributePath().WithAttributeName("id")) && value.Type().Is(tftypes.Number):
			return tftypes.NewValue(tftypes.Number, ID), nil
		case at.Equal(tftypes.NewAttributePath().WithAttributeName("id")):
			return tftypes.NewValue(tftypes.String, UUID), nil
		}
		return tftypes.NewValue(value.Type(), nil), nil
	})
	if err != nil {
		panic(err) // nothing above fails
	}
	return object
}
