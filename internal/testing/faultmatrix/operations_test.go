package faultmatrix

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// operation is what a run of Terraform does when it meets the fault.
type operation struct {
	name string
	// request is how the operation of the interface ends that does the work.
	request string
	// writes says that it leaves the object as the configuration says.
	writes bool
	// prepare creates what has to exist before, do is the run.
	prepare func(*testing.T, *cell)
	do      func(*cell) acctest.Diagnostics
}

// about is what an error calls the object besides its name: one that is imported has
// only an id yet, and a list is about the whole collection.
func (op operation) about(c *cell) string {
	switch op.name {
	case "import":
		return c.id
	case "list":
		return "in " + c.parent(c.env)
	}
	return objectName
}

var operations = []operation{
	{name: "create", request: "create", writes: true, do: func(c *cell) acctest.Diagnostics { return c.object.Apply(c.config) }},
	{name: "read", request: "retrieve", prepare: managed, do: func(c *cell) acctest.Diagnostics { return c.object.Refresh() }},
	{name: "update", request: "partial_update", writes: true, prepare: managed, do: func(c *cell) acctest.Diagnostics {
		c.config = c.with("after")
		return c.object.Apply(c.config)
	}},
	{name: "delete", request: "destroy", prepare: managed, do: func(c *cell) acctest.Diagnostics { return c.object.Destroy() }},
	{name: "import", request: "retrieve", prepare: unmanaged, do: func(c *cell) acctest.Diagnostics { return c.object.Import(c.id) }},
	{name: "list", request: "list", prepare: unmanaged, do: func(c *cell) acctest.Diagnostics {
		values, diags := c.env.ReadDataSource(c.t, c.listName, map[string]any{})
		c.listed, _ = values[c.wire].([]any)
		return diags
	}},
}

// managed is an object that an earlier run created.
func managed(t *testing.T, c *cell) {
	t.Helper()
	require.Empty(t, c.object.Apply(c.config).Text())
	c.env.NextRun(t, c.object)
}

// unmanaged is an object that was created outside Terraform.
func unmanaged(t *testing.T, c *cell) {
	t.Helper()
	c.id = c.createOutside(t, c.env)
}
