package page

import "github.com/surveys-as-code/terraform-provider-posthog/internal/escape"

// Variable is an environment variable of clients.
type Variable struct{ Name, Value string }

// Export is the command of a shell that sets the variable.
func (v Variable) Export() string { return "export " + v.Name + "=" + escape.Shell(v.Value) }
