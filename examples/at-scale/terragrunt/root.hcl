# Every project is a unit in a directory of its own below this one:
#
#   terragrunt run --all --parallelism 8 -- plan
#   find . -name review.md -exec cat {} +
locals {
  # Units that run side by side share the quota of their key.
  parallelism = 8
  quota       = 480
}

terraform {
  extra_arguments "pace" {
    commands = ["plan", "apply", "destroy", "refresh", "import"]
    env_vars = {
      POSTHOG_REQUESTS_PER_MINUTE = floor(local.quota / local.parallelism)
    }
  }

  extra_arguments "plan_file" {
    commands  = ["plan"]
    arguments = ["-out=plan.tfplan"]
  }

  # What the plan means to the people who answer: a page for each unit, whose directory has
  # the name of its environment.
  after_hook "review" {
    commands = ["plan"]
    execute = ["sh", "-c", <<-EOT
      posthog-sync review plan.tfplan --env '${basename(get_terragrunt_dir())}' --format markdown > '${get_terragrunt_dir()}/review.md'
    EOT
    ]
  }
}
