package kfp

import (
	"encoding/json"
	"maps"
)

// scheduled is what KFP's driver replaces, as the whole value of an input of a task, by
// the time at which the recurring run was to fire, in UTC (exactly so since 2.17, from
// the label workflowEpoch of the Workflow), or by that of the run's start. In arguments
// of a recurring run it replaces nothing (kubeflow/pipelines issue 12494).
const scheduled = "{{$.pipeline_job_schedule_time_utc}}"

// fires returns a pipeline whose tasks get the time at which the recurring run fires
// wherever they get one of the inputs.
func fires(spec any, inputs []string) (any, error) {
	wanted := map[string]bool{}
	for _, in := range inputs {
		wanted[in] = true
	}
	return rewritten(spec, func(p map[string]any) {
		if in, _ := p["componentInputParameter"].(string); wanted[in] {
			delete(p, "componentInputParameter")
			p["runtimeValue"] = map[string]any{"constant": scheduled}
		}
	})
}

// fired returns such a pipeline for a run that is started for a time.
func fired(spec any, at string) (any, error) {
	return rewritten(spec, func(p map[string]any) {
		if v, _ := p["runtimeValue"].(map[string]any); v["constant"] == scheduled {
			p["runtimeValue"] = map[string]any{"constant": at}
		}
	})
}

// rewritten returns a copy of a pipeline, with a change of each parameter that a task
// of its root gets.
func rewritten(spec any, change func(parameter map[string]any)) (any, error) {
	b, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	var copied map[string]any
	if err := json.Unmarshal(b, &copied); err != nil {
		return nil, err
	}
	at := func(m map[string]any, path ...string) map[string]any {
		for _, key := range path {
			m, _ = m[key].(map[string]any)
		}
		return m
	}
	in := copied
	if pipeline := at(copied, "pipeline_spec"); pipeline != nil {
		in = pipeline
	}
	for task := range maps.Values(at(in, "root", "dag", "tasks")) {
		t, _ := task.(map[string]any)
		for parameter := range maps.Values(at(t, "inputs", "parameters")) {
			if p, ok := parameter.(map[string]any); ok {
				change(p)
			}
		}
	}
	return copied, nil
}
