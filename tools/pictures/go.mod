module github.com/surveys-as-code/terraform-provider-posthog/tools/pictures

go 1.26.0

tool github.com/surveys-as-code/terraform-provider-posthog/tools/pictures

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/yuin/goldmark v1.8.7
)

require github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
