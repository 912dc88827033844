# Which Argo Workflows, and where its programs lie, for test/k8s/binaries and cluster.
# ARGO names another version, which lies beside the usual one: ARGO=v4.0.5 make e2e
ARGO=${ARGO:-v3.7.3}
ARGOROOT=$ROOT
[ "$ARGO" = v3.7.3 ] || ARGOROOT=$ROOT/argo-$ARGO
