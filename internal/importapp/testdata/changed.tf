resource "posthog_pipeline_import_app" "test" {
  plugin_type = "source"
  name        = "Order import 2"
  description = "Brings orders and refunds in from the shop"
  url         = "https://github.com/example/order-import?ref=main"
  icon        = "https://example.com/refunds.png"
  tag         = "v2.0.0"
  is_global   = true

  config_schema = <<-JSON
    {
      "shop": { "type": "string", "name": "Address of the shop" }
    }
  JSON
  capabilities  = jsonencode({ jobs = ["backfill"], methods = ["setupPlugin"], scheduled_tasks = ["runEveryHour"] })
  metrics       = jsonencode({ orders = "max", refunds = "sum" })
  public_jobs   = jsonencode({ backfill = {} })
}
