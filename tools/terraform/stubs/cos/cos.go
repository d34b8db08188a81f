// Package cos replaces the cos state backend; see ../../README.md.
package cos

import "github.com/hashicorp/terraform/internal/backend"

// New panics: whoever configures this backend needs a full Terraform.
func New() backend.Backend { panic("this Terraform is built without the cos state backend") }
