locals {
  surveys = yamldecode(file("${path.module}/surveys.yaml"))
}

# One survey for each entry of the file. The key is its resource key and its name.
module "survey" {
  source   = "./survey"
  for_each = local.surveys

  name      = each.key
  questions = each.value.questions
  status    = try(each.value.status, "draft")
}
