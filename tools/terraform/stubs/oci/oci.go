// Package oci replaces the oci state backend; see ../../README.md.
package oci

import "github.com/hashicorp/terraform/internal/backend"

// New panics: whoever configures this backend needs a full Terraform.
func New() backend.Backend { panic("this Terraform is built without the oci state backend") }
