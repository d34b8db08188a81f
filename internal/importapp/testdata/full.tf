resource "posthog_pipeline_import_app" "test" {
  plugin_type = "repository"
  name        = "Order import"
  description = "Brings orders in from the shop"
  url         = "https://github.com/example/order-import?ref=main"
  icon        = "https://example.com/orders.png"
  tag         = "v1.0.0"
  is_global   = false

  config_schema = jsonencode([
    { key = "shop", name = "Address of the shop", type = "string", required = true },
    { key = "token", name = "Token", type = "string", secret = true, default = "" },
  ])
  capabilities = jsonencode({ jobs = [], methods = [], scheduled_tasks = ["runEveryMinute"] })
  metrics      = jsonencode({ orders = "sum" })
  public_jobs  = jsonencode({ backfill = { payload = { since = { type = "date" } } } })
}
