// Package pg replaces the pg state backend; see ../../README.md.
package pg

import "github.com/hashicorp/terraform/internal/backend"

// New panics: whoever configures this backend needs a full Terraform.
func New() backend.Backend { panic("this Terraform is built without the pg state backend") }
