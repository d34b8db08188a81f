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

// Questions is the attribute with the list of questions.
func Questions() schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		Optional: true, Computed: true,
		MarkdownDescription: "The questions, in order. `type` selects which of the other attributes apply.",
		NestedObject:        schema.NestedAttributeObject{Attributes: QuestionAttributes()},
		PlanModifiers: []planmodifier.List{
			attribute.ResetTo(types.ListNull(survey.QuestionType)),
		},
	}
}

// keepsEmpty is the default of the attributes whose empty prior value PlanQuestion keeps.
var keepsEmpty = attribute.NullDefault{KeepsEmpty: true}

// QuestionAttributes are the attributes of a question.
func QuestionAttributes() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		// Neither type nor question is required by the schema: for a question that is unknown
		// as a whole, such as a variable during terraform validate, the framework would report
		// them as missing. The checks at plan require them.
		"type": schema.StringAttribute{
			Optional: true, Computed: true, Default: attribute.NullDefault{},
			MarkdownDescription: "Kind: `open`, `link`, `rating`, `single_choice` or `multiple_choice`. Every question has one.",
		},
		"question": schema.StringAttribute{
			Optional: true, Computed: true, Default: attribute.NullDefault{}, MarkdownDescription: "Text of the question. Every question has one.",
		},
		"id": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Id of the question, under which its answers are stored. Leave it out: a new question gets a random one, and each question keeps its own when it is moved or edited.\n\n" +
				"  Set it to a new UUID to start a question anew in the place of another of its type. The old answers stay under the old id.",
		},
		"extra": schema.StringAttribute{
			Optional: true, Computed: true, CustomType: jsontypes.NormalizedType{}, Validators: []validator.String{attribute.JSONObject},
			PlanModifiers:       []planmodifier.String{attribute.EquivalentInPlace(attribute.EquivalentJSON)},
			MarkdownDescription: "Keys of the question that this schema does not know, as a JSON object. Left out, those that the service holds are kept.",
		},
		"branching": branchingAttribute(),
		"scale": schema.NumberAttribute{
			Optional: true, Computed: true, Default: attribute.NullDefault{}, MarkdownDescription: "`rating`: number of steps; 2 (thumbs, web SDK 1.326.0 and later), 3, 5, 7 or 10.",
		},
		"choices": schema.ListAttribute{
			Optional: true, Computed: true, ElementType: types.StringType,
			Default:             attribute.NullDefault{KeepsEmpty: true, Of: types.ListType{ElemType: types.StringType}},
			MarkdownDescription: "`single_choice` and `multiple_choice`: the choices.",
		},
		"validation": validationAttribute(),
		"translations": schema.StringAttribute{
			Optional: true, Computed: true, CustomType: jsontypes.NormalizedType{}, Default: attribute.NullDefault{},
			PlanModifiers:       []planmodifier.String{attribute.EquivalentInPlace(survey.SameTranslations)},
			MarkdownDescription: "Texts in other languages, as JSON by language code.",
		},
	}

	for name, description := range map[string]string{
		"description":              "Text below the question.",
		"description_content_type": "Format of the description: `text` or `html`.",
		"button_text":              "Text of the submit button.",
		"link":                     "`link`: URL that the button opens, `https` or `mailto`.",
		"display":                  "`rating`: `number` or `emoji`.",
		"lower_bound_label":        "`rating`: label of the lowest step.",
		"upper_bound_label":        "`rating`: label of the highest step.",
	} {
		attributes[name] = schema.StringAttribute{
			Optional: true, Computed: true, Default: keepsEmpty, MarkdownDescription: description,
			PlanModifiers: []planmodifier.String{attribute.EquivalentInPlace(survey.SameMarkup)},
		}
	}

	for name, description := range map[string]string{
		"optional":           "Whether the question may be skipped.",
		"is_nps_question":    "`rating`: whether it is a net promoter score.",
		"shuffle_options":    "`single_choice` and `multiple_choice`: whether the choices are shuffled (web SDK 1.131.5, React Native 4.68.0 and later, no other).",
		"has_open_choice":    "`single_choice` and `multiple_choice`: whether the last choice takes a text of one's own.",
		"skip_submit_button": "`rating` and `single_choice`: whether choosing submits (web SDK 1.244.0, React Native 4.26.0, iOS 3.77.0, Android 3.66.4, Flutter 5.45.0 and later).",
	} {
		attributes[name] = schema.BoolAttribute{Optional: true, Computed: true, Default: keepsEmpty, MarkdownDescription: description}
	}

	return attributes
}

func branchingAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional: true, Computed: true, Default: attribute.NullDefault{Of: survey.BranchingType},
		MarkdownDescription: "Where the survey goes after the answer; to the next question when left out.",
		Attributes: map[string]schema.Attribute{
			"type": schema.StringAttribute{
				Required: true, MarkdownDescription: "`next_question`, `end`, `response_based` (only for `rating` and `single_choice`) or `specific_question`.",
			},
			"index": schema.Int64Attribute{
				Optional: true, Computed: true, Default: attribute.NullDefault{}, MarkdownDescription: "`specific_question`: place of the question to go to, from 0.",
			},
			"response_values": schema.MapAttribute{
				Optional: true, Computed: true, ElementType: types.StringType,
				Default: attribute.NullDefault{Of: types.MapType{ElemType: types.StringType}},
				MarkdownDescription: "`response_based`: where to go, by response. Keys: the place of the choice (`\"0\"`), or for a rating `negative`, `neutral`, `positive` " +
					"(scale 10: `detractors`, `passives`, `promoters`). Values: the place of a question (`\"2\"`) or `end`.",
			},
		},
	}
}

func validationAttribute() schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		Optional: true, Computed: true, Default: attribute.NullDefault{KeepsEmpty: true, Of: types.ListType{ElemType: survey.ValidationRuleType}},
		MarkdownDescription: "`open`: rules that an answer must meet (web SDK 1.344.0, React Native 4.31.0 and later, no other).",
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"type":  schema.StringAttribute{Optional: true, Computed: true, Default: attribute.NullDefault{}, MarkdownDescription: "`min_length`, `max_length` or `email`. Every rule has one."},
			"value": schema.Int64Attribute{Optional: true, Computed: true, Default: attribute.NullDefault{}, MarkdownDescription: "Number of characters."},
		}},
	}
}
