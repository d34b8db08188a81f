project_id = "12345"
launch     = true
