// Package oss replaces the oss state backend; see ../../README.md.
package oss

import "github.com/hashicorp/terraform/internal/backend"

// New panics: whoever configures this backend needs a full Terraform.
func New() backend.Backend { panic("this Terraform is built without the oss state backend") }
