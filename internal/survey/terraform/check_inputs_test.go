package terraform_test

import (
	"maps"
)

func single(keys object) object {
	all := object{"type": "single_choice", "question": "Which?", "choices": []any{"a", "b"}}
	maps.Copy(all, keys)
	return all
}

func rated(keys object) object {
	all := object{"type": "rating", "question": "How?", "scale": 10, "display": "number"}
	maps.Copy(all, keys)
	return all
}

func linked(link string) object { return object{"type": "link", "question": "See", "link": link} }

func goingTo(index any) object {
	return open(object{"branching": object{"type": "specific_question", "index": index}})
}

func when(conditions string) object  { return with(object{"conditions": conditions}) }
func looks(appearance string) object { return with(object{"appearance": appearance}) }
