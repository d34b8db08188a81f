module google.golang.org/genproto

go 1.26.0
