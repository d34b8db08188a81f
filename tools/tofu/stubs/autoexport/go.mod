module go.opentelemetry.io/contrib/exporters/autoexport

go 1.26.0

require go.opentelemetry.io/otel/sdk v1.0.0
