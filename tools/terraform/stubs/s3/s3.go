// Package s3 replaces the s3 state backend; see ../../README.md.
package s3

import "github.com/hashicorp/terraform/internal/backend"

// New panics: whoever configures this backend needs a full Terraform.
func New() backend.Backend { panic("this Terraform is built without the s3 state backend") }
