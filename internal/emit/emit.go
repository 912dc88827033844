// Package emit writes a program for a target, by the target's name.
package emit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

// The targets, by name.
const (
	KFP                 = "kfp"                   // IR
	KFPManifest         = "kfp-manifest"          // the PipelineVersion with it, for kubectl
	Argo                = "argo"                  // a Workflow
	ArgoTemplate        = "argo-template"         // a WorkflowTemplate
	ArgoClusterTemplate = "argo-cluster-template" // a ClusterWorkflowTemplate
	ArgoCron            = "argo-cron"             // a WorkflowTemplate and CronWorkflows
)

// Targets lists the names, for messages and for completion.
var Targets = []string{KFP, KFPManifest, Argo, ArgoTemplate, ArgoClusterTemplate, ArgoCron}

// ArgoVersions are the versions of Argo, for messages and for completion.
var ArgoVersions = []string{"3.6", "3.7", "4.0"}

// Options say what a program doesn't know.
type Options struct {
	Image         string // of the program: it runs the Go steps
	ArtifactRoot  string // argo: the URI of the folder that holds the artifacts
	Account       string // argo: the service account of the pods
	ObjectAccount string // argo: that of steps that work on objects; empty: the same
	ArgoVersion   string // argo: 3.6, 3.7 or 4.0; empty: what suits all of them
	KFPVersion    string // kfp: of the server, such as 2.5; empty: the newest
	Exact         bool   // kfp: the IR goes to a server, and needn't equal that of KFP's SDK; a KFPVersion says so too

	Given map[string]bool // kfp: the inputs that have arguments; nil: they are not known

	Manifest kfp.Manifest // kfp-manifest: what the objects are called
	Changes               // of the program
}

// Emit returns the YAML of a program for a target. What the table of features says
// that the target can't do is an error, whatever the back end makes of it.
func Emit(p *program.Program, target string, o Options) ([]byte, error) {
	w, err := Write(p, target, o)
	return w.YAML, err
}

// Write is Emit, and returns too the program with its changes and, where the target is
// KFP, the pipeline spec.
func Write(p *program.Program, target string, o Options) (w kfp.Written, err error) {
	if err := Check(target, o); err != nil {
		return w, err
	}
	if p, err = o.apply(p, target); err != nil {
		return w, err
	}
	if err := errors.Join(noCredentials(p), params.InFile(p)); err != nil {
		return w, err
	}
	if OnArgo(target) && o.ArtifactRoot != "" && p.Root != "" { // the flag is used in its place
		p = p.Clone()
		p.Root = ""
	}
	w, err = write(p, target, o)
	on := feature.KFP
	if OnArgo(target) {
		on = feature.Argo
	}
	if err := feature.Gate(w.Program, on, err); err != nil {
		return kfp.Written{}, err
	}
	return w, nil
}

// CheckFile reports errors in the values in a program that was read from a file,
// for files that are handed to KFP as they are.
func CheckFile(p *program.Program) error { return errors.Join(params.InFile(p), kfp.InFile(p)) }

// write writes the program with the back end of a target.
func write(p *program.Program, target string, o Options) (kfp.Written, error) {
	switch {
	case OnArgo(target):
		w := kfp.Written{Program: p}
		b, err := argoBackend()
		if err == nil {
			w.YAML, err = b.Write(p, target, o)
		}
		return w, err
	case target == KFPManifest:
		return kfp.CompileManifest(p, kfpOptions(o), o.Manifest)
	}
	return kfp.Compile(p, kfpOptions(o))
}

// kfpOptions returns what package kfp needs.
func kfpOptions(o Options) kfp.Options {
	k := kfp.Options{Image: o.Image, Version: Version(), Exact: o.Exact || o.KFPVersion != "", Given: o.Given}
	if minor, ok := minorVersion(o.KFPVersion); ok {
		k.Server = &minor
	}
	return k
}

// minorVersion returns the N of 2.N or 2.N.M.
func minorVersion(version string) (int, bool) {
	parts := strings.Split(version, ".")
	if len(parts) < 2 || len(parts) > 3 || parts[0] != "2" {
		return 0, false
	}
	for _, part := range parts[1:] {
		if n, err := strconv.Atoi(part); err != nil || n < 0 || strconv.Itoa(n) != part {
			return 0, false
		}
	}
	n, _ := strconv.Atoi(parts[1])
	return n, n <= feature.Newest
}

// KnownVersion returns what a server's version, such as v2.5.0-rc.1, is among those of
// KFPVersion: 2.5; "" for another.
func KnownVersion(said string) string {
	said, _, _ = strings.Cut(strings.TrimPrefix(said, "v"), "-")
	minor, ok := minorVersion(said)
	if !ok {
		return ""
	}
	return fmt.Sprintf("2.%d", minor)
}

// Check returns errors in a target and its options, whatever the program.
func Check(target string, o Options) error {
	switch {
	case !slices.Contains(Targets, target):
		return fmt.Errorf("there is no target %q; the targets are %s", target, strings.Join(Targets, ", "))
	case !OnArgo(target) && o.ArgoVersion != "":
		return fmt.Errorf("a version of Argo is for target argo, not %s", target)
	case o.ArgoVersion != "" && !slices.Contains(ArgoVersions, o.ArgoVersion):
		return fmt.Errorf("there is no Argo %q that this compiles for; the versions are %s", o.ArgoVersion, strings.Join(ArgoVersions, ", "))
	case OnArgo(target) && o.KFPVersion != "":
		return fmt.Errorf("a version of KFP is for target kfp, not %s", target)
	case o.KFPVersion != "" && !known(o.KFPVersion):
		return fmt.Errorf("there is no KFP %q; give the version of the server, from 2.0 to 2.%d, such as 2.5", o.KFPVersion, feature.Newest)
	case !OnArgo(target) && o.ArtifactRoot != "":
		return fmt.Errorf("an artifact root is for target argo; target %s has its own, the pipeline root", target)
	case !OnArgo(target) && o.Account != "":
		return fmt.Errorf("a service account is for target argo; on target %s it belongs to the run", target)
	case !OnArgo(target) && o.ObjectAccount != "":
		return fmt.Errorf("a service account for steps that work on objects is for target argo, not %s", target)
	case target != KFPManifest && o.Manifest != (kfp.Manifest{}):
		return fmt.Errorf("names of objects are for target %s, not for %s", KFPManifest, target)
	}
	for _, name := range []string{o.Account, o.ObjectAccount} {
		if name != "" && !graph.AccountForm.MatchString(name) {
			return fmt.Errorf("%q is not the name of a service account: %s", name, graph.AccountHint)
		}
	}
	if err := CheckImage(o.Image); err != nil {
		return err
	}
	return o.Changes.check()
}

// CheckImage returns the error in the image of a program, if one is given.
func CheckImage(ref string) error {
	if ref != "" && !graph.ImageForm.MatchString(ref) {
		return fmt.Errorf("%q is not an image: %s", ref, graph.ImageHint)
	}
	return nil
}

func known(version string) bool { _, ok := minorVersion(version); return ok }

// OnArgo reports whether a target is Argo, in whatever form.
func OnArgo(target string) bool { return strings.HasPrefix(target, Argo) }

// RBAC returns the YAML of the service accounts and roles that the pods of a
// program need on Argo, and a warning if steps get rights that they don't need.
func RBAC(p *program.Program, target string, o Options) (yaml []byte, warning string, err error) {
	rest := o
	rest.Manifest.Namespace = "" // which is that of the account here
	if err := Check(target, rest); err != nil {
		return nil, "", err
	}
	if !OnArgo(target) {
		return nil, "", fmt.Errorf("roles are for target argo; on target %s its own installation has them", target)
	}
	b, err := argoBackend()
	if err != nil {
		return nil, "", err
	}
	if yaml, err = b.RBAC(p, o); err != nil {
		return nil, "", err
	}
	if o.ObjectAccount == "" && (p.Config == nil || p.Config.Argo == nil || p.Config.Argo.ObjectServiceAccount == "") {
		warning = sharedRights(p)
	}
	return yaml, warning, nil
}

// sharedRights returns a warning if steps that don't work on objects of the cluster run
// as the account of those that do.
func sharedRights(p *program.Program) string {
	var need, others []string
	for _, c := range p.Components {
		switch x := c.Exec; {
		case x == nil || x.Importer != nil:
		case x.WorksOnObjects():
			need = append(need, c.Name)
		default:
			others = append(others, c.Name)
		}
	}
	if len(need) == 0 || len(others) == 0 {
		return ""
	}
	return fmt.Sprintf("pipeline %s: the token in the pods of %s has the rights on objects that only %s needs; an account of its own, which --object-service-account names here and where the pipeline is compiled, keeps them apart",
		p.Name, some(others), some(need))
}

// some returns the first of some names, and how many more there are.
func some(names []string) string {
	const shown = 3
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}
