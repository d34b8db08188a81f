// The release from which prepare makes an OpenTofu for tests. Its own go.mod and go.sum say what it is built from.
module github.com/surveys-as-code/terraform-provider-posthog/tools/tofu

go 1.26.6

require github.com/opentofu/opentofu v1.12.6
