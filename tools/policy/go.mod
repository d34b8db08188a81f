module github.com/surveys-as-code/terraform-provider-posthog/tools/policy

go 1.26.8

tool github.com/open-policy-agent/conftest

require github.com/open-policy-agent/conftest v0.66.0
