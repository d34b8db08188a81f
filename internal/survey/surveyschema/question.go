package surveyschema

import (
	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// Questions returns the questions attribute.
func Questions() schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		Optional: true, Computed: true,
		MarkdownDescription: "Questions of the survey, in order. The `type` of a question decides which other attributes apply.",
		NestedObject:        schema.NestedAttributeObject{Attributes: QuestionAttributes()},
		PlanModifiers: []planmodifier.List{
			attribute.ResetValue(types.ListNull(survey.QuestionType)),
		},
	}
}

// keepsEmpty is the default for attributes that keep an empty prior value (see survey.PlanQuestion).
var keepsEmpty = attribute.NullDefault{KeepsEmpty: true}

// QuestionAttributes returns a question's attributes.
func QuestionAttributes() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		// The schema requires neither type nor question. During terraform validate, a whole question can be unknown,
		// such as a variable. The framework would then report both attributes as missing. The checks during the plan
		// require them.
		"type": schema.StringAttribute{
			Optional: true, Computed: true, Default: attribute.NullDefault{},
			MarkdownDescription: "Type of the question: one of `open`, `link`, `rating`, `single_choice`, or `multiple_choice`. Every question requires it.",
		},
		"question": schema.StringAttribute{
			Optional: true, Computed: true, Default: attribute.NullDefault{}, MarkdownDescription: "Text of the question. Every question requires it.",
		},
		"id": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "ID under which PostHog stores the answers to this question. It can be any text that is unique within the survey. You rarely need to set it, because a new question gets a generated ID, and keeps it when you move or edit the question.\n\n" +
				"  To replace a question with another one of the same type, set a new ID. The earlier answers stay under the old ID.",
		},
		"extra": schema.StringAttribute{
			Optional: true, Computed: true, CustomType: jsontypes.NormalizedType{}, Validators: []validator.String{attribute.JSONObject},
			PlanModifiers:       []planmodifier.String{attribute.EquivalentInPlace(attribute.EquivalentJSON)},
			MarkdownDescription: "Keys of the question that this schema doesn't contain, as a JSON object. If omitted, the keys in PostHog are kept.",
		},
		"branching": branchingAttribute(),
		"scale": schema.NumberAttribute{
			Optional: true, Computed: true, Default: attribute.NullDefault{}, MarkdownDescription: "(`rating` only) Number of steps: one of `2`, `3`, `5`, `7`, or `10`. A scale of `2` shows thumbs up and down, and requires web SDK 1.326.0 or later. A scale of `10` has eleven steps, from 0 to 10.",
		},
		"choices": schema.ListAttribute{
			Optional: true, Computed: true, ElementType: types.StringType,
			Default:             attribute.NullDefault{KeepsEmpty: true, Of: types.ListType{ElemType: types.StringType}},
			MarkdownDescription: "(`single_choice` and `multiple_choice` only) Choices of the question.",
		},
		"validation": validationAttribute(),
		"translations": schema.StringAttribute{
			Optional: true, Computed: true, CustomType: jsontypes.NormalizedType{}, Default: attribute.NullDefault{},
			PlanModifiers:       []planmodifier.String{attribute.EquivalentInPlace(survey.SameTranslations)},
			MarkdownDescription: "Text in other languages, as a JSON object with a key for each language code.",
		},
	}

	for name, description := range map[string]string{
		"description":              "Text below the question.",
		"description_content_type": "Format of the description: `text` or `html`.",
		"button_text":              "Text of the submit button.",
		"link":                     "(`link` only) URL that the button opens. It must begin with `https://` or `mailto:`.",
		"display":                  "(`rating` only) Appearance of the steps: `number` or `emoji`.",
		"lower_bound_label":        "(`rating` only) Label of the lowest step.",
		"upper_bound_label":        "(`rating` only) Label of the highest step.",
	} {
		attributes[name] = schema.StringAttribute{
			Optional: true, Computed: true, Default: keepsEmpty, MarkdownDescription: description,
			PlanModifiers: []planmodifier.String{attribute.EquivalentInPlace(survey.SameMarkup)},
		}
	}

	for name, description := range map[string]string{
		"optional":           "Whether respondents can skip the question.",
		"is_nps_question":    "(`rating` only) Whether the question is a net promoter score.",
		"shuffle_options":    "(`single_choice` and `multiple_choice` only) Whether the choices are shuffled. Only web SDK 1.131.5, React Native 4.68.0, and later support this.",
		"has_open_choice":    "(`single_choice` and `multiple_choice` only) Whether respondents can enter text for the last choice.",
		"skip_submit_button": "(`rating` and `single_choice` only) Whether choosing an answer submits it (web SDK 1.244.0, React Native 4.26.0, iOS 3.77.0, Android 3.66.4, Flutter 5.45.0, and later).",
	} {
		attributes[name] = schema.BoolAttribute{Optional: true, Computed: true, Default: keepsEmpty, MarkdownDescription: description}
	}

	return attributes
}

func branchingAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional: true, Computed: true, Default: attribute.NullDefault{Of: survey.BranchingType},
		MarkdownDescription: "Branching after the answer. If omitted, the next question follows.",
		Attributes: map[string]schema.Attribute{
			"type": schema.StringAttribute{
				Required: true, MarkdownDescription: "Type of branching: one of `next_question`, `end`, `response_based` (`rating` and `single_choice` only), or `specific_question`.",
			},
			"index": schema.Int64Attribute{
				Optional: true, Computed: true, Default: attribute.NullDefault{}, MarkdownDescription: "(`specific_question` only) Position of the question to go to, beginning with 0.",
			},
			"response_values": schema.MapAttribute{
				Optional: true, Computed: true, ElementType: types.StringType,
				Default: attribute.NullDefault{Of: types.MapType{ElemType: types.StringType}},
				MarkdownDescription: "(`response_based` only) Target for each answer. A key is the position of a choice (`\"0\"`), or for a rating one of `negative`, `neutral`, or `positive` " +
					"(with scale 10, one of `detractors`, `passives`, or `promoters`). A value is the position of a question (`\"2\"`) or `end`.",
			},
		},
	}
}

func validationAttribute() schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		Optional: true, Computed: true, Default: attribute.NullDefault{KeepsEmpty: true, Of: types.ListType{ElemType: survey.ValidationRuleType}},
		MarkdownDescription: "(`open` only) Rules that an answer must meet. Only web SDK 1.344.0, React Native 4.31.0, and later support this.",
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"type":  schema.StringAttribute{Optional: true, Computed: true, Default: attribute.NullDefault{}, MarkdownDescription: "Type of the rule: one of `min_length`, `max_length`, or `email`. Every rule requires it."},
			"value": schema.Int64Attribute{Optional: true, Computed: true, Default: attribute.NullDefault{}, MarkdownDescription: "Number of characters."},
		}},
	}
}
