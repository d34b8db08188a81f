# A survey is imported by its id, in the project of the provider block:
terraform import posthog_survey.nps 0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17

# A survey of another project, by the id of the project and its own:
terraform import posthog_survey.nps 12345/0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17
