// Package kfp connects to Kubeflow Pipelines, of versions 2.0 to 2.17.
package kfp

import (
	_ "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/experiment_client"
	_ "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/pipeline_client"
	_ "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/pipeline_upload_client"
	_ "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/recurring_run_client"
	_ "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/run_client"
)
