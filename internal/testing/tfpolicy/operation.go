package tfpolicy

// Operation is what Terraform does with a resource.
type Operation string

// The operations, as policies and mocks call them. To replace a resource is a Delete and a
// Create.
const (
	Create Operation = "create"
	Update Operation = "update"
	Delete Operation = "delete"
	NoOp   Operation = "no-op"
)

// operations are all of them.
var operations = []Operation{Create, Update, Delete, NoOp}
