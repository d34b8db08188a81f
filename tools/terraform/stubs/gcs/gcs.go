// Package gcs replaces the gcs state backend; see ../../README.md.
package gcs

import "github.com/hashicorp/terraform/internal/backend"

// New panics: whoever configures this backend needs a full Terraform.
func New() backend.Backend { panic("this Terraform is built without the gcs state backend") }
