include "root" {
  path = find_in_parent_folders("root.hcl")
}

terraform {
  source = "git::https://git.example.com/surveys.git//all?ref=1.4.0"

  extra_arguments "project" {
    commands = ["plan", "apply", "destroy", "refresh", "import"]
    env_vars = {
      POSTHOG_PROJECT_ID = "101"
      POSTHOG_API_KEY    = get_env("SHOP_KEY")
    }
  }
}
