// Package consul replaces the consul state backend; see ../../README.md.
package consul

import "github.com/hashicorp/terraform/internal/backend"

// New panics: whoever configures this backend needs a full Terraform.
func New() backend.Backend { panic("this Terraform is built without the consul state backend") }
