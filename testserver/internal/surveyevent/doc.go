// Package surveyevent counts what people did with surveys as the hosted service does: how
// often surveys were shown, dismissed and answered, by how many persons, and what they
// answered to each question. It knows events alone; where they are kept, and which survey or
// window a request asks for, is not its business.
package surveyevent
