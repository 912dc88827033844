package graph

import "encoding/json"

// A ContainerSpec is a command in an image. An element of Command or Args that is
// the JSON of KFP's IfPresent or Concat expands as KFP's does.
type ContainerSpec struct {
	Image   string   `json:"image"`
	Command []string `json:"command,omitempty"`
	Args    []string `json:"args,omitempty" diff:"arguments"`
}

// A PythonSpec is a function in a module that is sent along as source.
type PythonSpec struct {
	Source   string   `json:"source"`
	Function string   `json:"function"`
	Image    string   `json:"image"`
	Packages []string `json:"packages,omitempty"` // requirements, as pip takes them; installed when the step starts

	// LocalPackages are what the image has, for an engine that runs without it.
	LocalPackages []string `json:"localPackages,omitempty"`

	IndexURLs    []string `json:"indexURLs,omitempty" diff:"package indexes"` // for Packages: the first in place of pip's own, the others beside it
	TrustedHosts []string `json:"trustedHosts,omitempty"`                     // hosts of IndexURLs without a valid certificate
	Venv         bool     `json:"venv,omitempty"`                             // install into a virtual environment

	// Files go along with the step, which finds them unpacked in a folder that
	// is on Python's path: KFP's embedded artifact. Notebook is the name of the
	// one that is a Jupyter notebook, which dsl.run_notebook runs.
	Files    []File `json:"files,omitempty"`
	Notebook string `json:"notebook,omitempty"`

	// SDK, if it is there, writes the step as KFP's Python SDK does: the SDK
	// is installed when the step starts, and its executor runs the function,
	// before which the SDK puts imports of kfp.dsl and typing.
	SDK *PythonSDK `json:"sdk,omitempty" diff:"form of KFP's SDK"`
}

// A File goes along with a step.
type File struct {
	Name string `json:"name"` // its path, with slashes
	Data []byte `json:"data"`
}

// A PythonSDK says which form of a Python step to write.
type PythonSDK struct {
	Version string `json:"version,omitempty"` // of the SDK to install, such as 2.17.3; empty if Package or None say it
	Package string `json:"package,omitempty"` // a requirement in place of kfp==Version
	NoDeps  bool   `json:"noDeps,omitempty"`  // Package is installed without what it needs
	None    bool   `json:"none,omitempty"`    // the SDK isn't installed: the image or Packages have it

	// Whole: Source is all of the module, with the imports that the SDK puts
	// in front of a function.
	Whole bool `json:"whole,omitempty"`

	// Dialect is the first version of the SDK that writes the form of a step
	// that was read. Empty: that of today, which is 2.14's.
	Dialect string `json:"dialect,omitempty"`
}

// A ResourceSpec is an operation on a Kubernetes object. The operations that KFP
// knows by itself have a Builtin name, and their inputs say the rest.
type ResourceSpec struct {
	Builtin  string `json:"builtin,omitempty" diff:"operation"` // create-pvc or delete-pvc
	Action   string `json:"action"`                             // create, apply, patch or delete
	Manifest string `json:"manifest,omitempty"`
	Success  string `json:"success,omitempty"`
	Failure  string `json:"failure,omitempty"`
	Owned    bool   `json:"owned,omitempty"` // by the run: it is deleted with it
}

// An ImporterSpec takes an artifact that exists already. Its input is uri and its
// output artifact.
type ImporterSpec struct {
	Reimport bool `json:"reimport,omitempty"`

	// Metadata is JSON, whose strings may hold placeholders of inputs.
	Metadata map[string]json.RawMessage `json:"metadata,omitempty"`

	Workspace bool `json:"workspace,omitempty"` // copy it to the workspace
}

// A SuspendSpec waits for a person, who gives its outputs. One with a Default takes it
// where the person doesn't give it.
type SuspendSpec struct {
	Duration int64 `json:"durationSeconds,omitempty" diff:"duration in seconds"` // after which it ends with the defaults; 0: it waits
}
