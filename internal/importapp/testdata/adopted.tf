resource "posthog_pipeline_import_app" "test" {
  plugin_type  = "wasm"
  name         = "Made by hand"
  url          = "https://github.com/example/by-hand?ref=main"
  capabilities = <<-JSON
    {
      "scheduled_tasks": ["runEveryDay"],
      "limit": 9007199254740993
    }
  JSON
}
