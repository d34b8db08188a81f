# Surveys that ran are not deleted.
# Their responses belong to somebody. Archived surveys keep them in sight.
policy {
  required_providers {
    posthog = {
      source  = "surveys-as-code/posthog"
      version = ">= 0.1.0"
    }
  }
}

resource_policy "posthog_survey" "deletion" {
  operations = ["delete"]
  filter     = core::try(prior_attrs.start_date, null) != null

  locals {
    deletion_policy = core::try(prior_attrs.deletion_policy, null)
  }

  enforce {
    condition     = local.deletion_policy != null && local.deletion_policy != "delete"
    error_message = "The survey ran, and would be deleted: apply deletion_policy = \"archive\" first."
  }
}
