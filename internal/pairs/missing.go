package pairs

// Missing are the rows that no pair shows yet, each with the reason.
var Missing = map[string]string{
	"Artifact.custom_path":                       "only the run-time API has it; the runtime of Python steps has its own tests",
	"Artifact.name":                              "only the run-time API has it; the runtime of Python steps has its own tests",
	"ClassificationMetrics.log_confusion_matrix": "only the run-time API has it; the runtime of Python steps has its own tests",
	"ClassificationMetrics.log_roc_curve":        "only the run-time API has it; the runtime of Python steps has its own tests",
	"Metrics.log_metric":                         "only the run-time API has it; the runtime of Python steps has its own tests",
	"Model.framework":                            "only the run-time API has it; the runtime of Python steps has its own tests",
	"a docstring of a component":                 "the comparison leaves descriptions out",
	"dsl.component(target_image)":                "a step whose image is built by kfp component build; dsl.Container runs such an image",
	"dsl.get_uri":                                "only the run-time API has it; the runtime of Python steps has its own tests",
	"pydantic.BaseModel":                         "the virtual environment of the comparison has no pydantic",
	"references in dicts and lists":              "the language has texts with references, but no lists or objects with them",
}
