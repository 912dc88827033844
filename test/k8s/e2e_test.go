package k8s

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// images are built by kfpgo for the cluster, by name.
var images = map[string][]string{
	"suite": {"./suite"}, "root": {"./suite", "--user", "0"}, // claims that are folders of the node belong to root
	"calc": {"../../examples/calc"}, "hello": {"../../examples/hello"}, "flipcoin": {"../../examples/flipcoin"}, "mnist": {"../../examples/mnist", "--user", "0"}, "straight": {"./straight", "--user", "0"},
}

var only = flag.String("only", "", "`names` of pipelines, with commas, in place of all of them")

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "kfpgo-e2e-*")
	if err != nil {
		panic(err)
	}
	home, kfpgo = dir, filepath.Join(dir, "kfpgo")
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// ready builds the command and the images, and makes what the suite's pods need in
// the cluster: once.
func ready(t *testing.T) {
	t.Helper()
	once.Do(func() {
		command(t, "", "go", "-C", "../..", "build", "-o", kfpgo, "./cmd/kfpgo")
		for name, pkg := range images {
			tar := filepath.Join(home, name+".tar")
			command(t, "", kfpgo, append([]string{"build", "--tar", tar, "--tag", "registry.local/" + name + ":1"}, pkg...)...)
			command(t, "", "./cluster", "load", tar)
			os.Remove(tar)
		}
		command(t, manifests(), "./cluster", "k", "apply", "-f", "-")
		call(t, "PATCH", node+"/status", "application/merge-patch+json", []byte(`{"status": {"capacity": {"nvidia.com/gpu": "4", "example.com/fpga": "8"}}}`))
		command(t, "imported", "./cluster", "put", "imported/data")
		command(t, "", "./cluster", "podman") // the same images, for steps that are containers here
		set = true
	})
	if !set {
		t.Fatal("the images or the cluster's objects can't be made; see above")
	}
}

var (
	once sync.Once
	set  bool
)

// manifests are the objects that the suite reads, and a class of claims that are
// folders of the node.
func manifests() string {
	text := "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: suite-batch}\nvalue: 10\n---\n" +
		"apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: host-path, annotations: {storageclass.kubernetes.io/is-default-class: \"true\"}}\nprovisioner: kubernetes.io/host-path\n" +
		"---\napiVersion: v1\nkind: Secret\nmetadata: {name: suite-registry}\ntype: kubernetes.io/dockerconfigjson\nstringData: {.dockerconfigjson: '{}'}\n"
	kinds := map[string]string{"secrets": "Secret", "config-maps": "ConfigMap"}
	data := map[string]string{"secrets": "stringData", "config-maps": "data"}
	made := map[string]string{}
	for file, value := range objects {
		part := strings.Split(file, "/")
		made[part[0]+"/"+part[1]] += fmt.Sprintf("  %s: %s\n", part[2], quote(value))
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		kind, of, _ := strings.Cut(name, "/")
		text += fmt.Sprintf("---\napiVersion: v1\nkind: %s\nmetadata: {name: %s}\n%s:\n%s", kinds[kind], of, data[kind], made[name])
	}
	return text
}

// wanted filters pipelines by -only.
func wanted(all []pipeline) []pipeline {
	if *only == "" {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(p pipeline) bool {
		name := p.name[strings.LastIndexAny(p.name, "/")+1:]
		return !slices.Contains(strings.Split(*only, ","), strings.TrimSuffix(name, "#Pipeline"))
	})
}

// slots are how many run at once on the cluster.
var slots = make(chan struct{}, 10)

// TestPipelines runs each pipeline on this machine and on the cluster that
// test/k8s/cluster has brought up. Both must end as the table says.
func TestPipelines(t *testing.T) {
	ready(t)
	var mu sync.Mutex
	var lines []string
	equal := 0
	all, left := turn(t, wanted(pipelines))
	t.Run("all", func(t *testing.T) {
		for _, p := range all {
			t.Run(p.String(), func(t *testing.T) {
				t.Parallel()
				slots <- struct{}{}
				defer func() { <-slots }()
				line, ok := p.runs(t)
				mu.Lock()
				defer mu.Unlock()
				if ok {
					equal++
				}
				lines = append(lines, line)
			})
		}
	})
	slices.Sort(lines)
	fmt.Printf("%s\nequal %d/%d\n", strings.Join(lines, "\n"), equal, len(all))
	if len(left) > 0 {
		fmt.Printf("left out, since a run without FULL=1 takes every %dth row of the constructs and every %dth of the others, in turn: %s\n", constructTurns, turns, strings.Join(left, ", "))
	}
}

// After so many commits a row of the table has had its turn: one that is there for a
// construct, and another.
const constructTurns, turns = 2, 8

// commits is how many commits led to this one.
func commits(t *testing.T) int {
	n, err := strconv.Atoi(strings.TrimSpace(command(t, "", "git", "rev-list", "--count", "HEAD")))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// turn returns the rows that this run takes, and the names of the others. Without
// FULL=1 it takes those whose turn it is by the number of commits: so each row runs every
// few commits, and a run of a commit always takes the same ones.
func turn(t *testing.T, all []pipeline) (some []pipeline, left []string) {
	if *only != "" || os.Getenv("FULL") != "" {
		return all, nil
	}
	commits := commits(t)
	n := map[int]int{} // rows of each turn
	for _, p := range all {
		turns := turns
		if slices.Contains(constructs, p.String()) {
			turns = constructTurns
		}
		if n[turns]++; n[turns]%turns == commits%turns {
			some = append(some, p)
		} else {
			left = append(left, p.String())
		}
	}
	return some, left
}
