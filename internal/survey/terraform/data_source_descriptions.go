package terraform

import "github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"

// readDescriptions are the descriptions of data source attributes for which those of the
// resource describe how to set a value.
var readDescriptions = attribute.Descriptions{
	"project_id":                      "Project that the survey belongs to.",
	"name":                            "Name of the survey.",
	"schedule":                        "How often one person sees the survey: `once`, `recurring` or `always`.",
	"base_language":                   "Language of the texts, as a BCP 47 code.",
	"status":                          "`draft`, `running` or `completed`, by the dates.",
	"start_date":                      "When the survey was launched; null for a draft.",
	"end_date":                        "When the survey was stopped; null while it has not been.",
	"targeting_flag_id":               "Id of the feature flag that chooses who sees the survey, if it is one that was not created for the survey.",
	"targeting_flag_filters":          "Release conditions that choose who sees the survey, as JSON, if the service keeps them in a flag of the survey's own.",
	"response_sampling_interval_type": "Unit of the sampling interval: `day`, `week` or `month`.",
	"questions":                       "The questions, in order. `type` decides which of the other attributes apply.",
	"questions.id":                    "Id of the question, under which its answers are stored.",
	"questions.extra":                 "Keys of the question that this schema does not know, as a JSON object.",
	"questions.branching":             "Where the survey goes after the answer; null for the next question.",
	"questions.type":                  "Kind: `open`, `link`, `rating`, `single_choice` or `multiple_choice`.",
	"questions.question":              "Text of the question.",
}
