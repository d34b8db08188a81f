project_id = "67890"
launch     = false
