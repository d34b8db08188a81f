// Package tfpolicy is for tests: it reads and evaluates policies for Terraform 1.17 and later
// (.policy.hcl) and their tests (.policytest.hcl) as HashiCorp documents them for tfpolicy 0.4.
// The engine itself, tfpolicy, is a program that tests cannot have.
//
// It refuses what the documentation does not have, and what sources contradict each other
// about. It does not cover provider and module policies, plugins, terraform_config, wildcards,
// the meta arguments of HCP Terraform, data sources, mocks that refer to each other or are
// skipped, and functions other than those of [functions]. Messages and the order of results are
// its own.
package tfpolicy
