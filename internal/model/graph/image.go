package graph

import "github.com/kfpgo/kfpgo/internal/text/lazyregexp"

// ImageForm is the reference of a container image, as registries and Kubernetes take it.
var ImageForm = lazyregexp.New(`^([A-Za-z0-9][-A-Za-z0-9.]*(:[0-9]+)?/)?[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*(/[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*)*(:\w[\w.-]{0,127})?(@sha(256:[0-9a-f]{64}|512:[0-9a-f]{128}))?$`)

// ImageHint says how to write one.
const ImageHint = "write REGISTRY/NAME:TAG, with lower case letters in NAME, such as ghcr.io/acme/train:1.4"

// InImage is a string in a reference that stands for a value, of which it may be the digest.
var InImage = lazyregexp.New(`(@(sha[0-9]+:)?)?\{\{[^{}]*\}\}`)
