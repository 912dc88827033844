package lineage_test

import (
	_ "github.com/kubeflow/pipelines/third_party/ml-metadata/go/ml_metadata"
	_ "github.com/minio/minio-go/v7"
	_ "google.golang.org/grpc"
)
