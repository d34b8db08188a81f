// Package azure replaces the azure state backend; see ../../README.md.
package azure

import "github.com/hashicorp/terraform/internal/backend"

// New panics: whoever configures this backend needs a full Terraform.
func New() backend.Backend { panic("this Terraform is built without the azure state backend") }
