resource "posthog_survey" "this" {
  name                    = "Research panel"
  type                    = "external_survey"
  enable_iframe_embedding = true

  questions = [{
    type         = "open"
    question     = "Tell us about yourself"
    translations = jsonencode({ de = { question = "Erzählen Sie von sich" } })
  }]

  translations = jsonencode({ de = { name = "Umfrage" } })
  form_content = jsonencode({
    version = 1
    blocks  = [{ type = "paragraph", content = [{ type = "text", text = "Welcome" }] }]
  })
}
