package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/host/child"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// containerTool returns podman or docker, whichever answers: a client without
// its daemon counts as missing.
func containerTool(ctx context.Context) (string, error) {
	if runtime.GOOS == "windows" {
		return "", errors.New("runs on Windows have no containers, in which the paths of this machine don't exist; run kfpgo in WSL 2")
	}
	var errs []string
	for _, tool := range []string{"podman", "docker"} {
		out, err := child.CombinedOutput(child.Command(ctx, tool, "info"))
		if err == nil {
			return tool, nil
		}
		if errors.Is(err, exec.ErrNotFound) {
			errs = append(errs, tool+" is not installed")
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		errs = append(errs, fmt.Sprintf("%s doesn't answer (%s)", tool, strings.TrimSpace(lines[len(lines)-1])))
	}
	return "", errors.New(strings.Join(errs, ", ") + "; install one of them")
}

// container runs the command of a container component, with the run's folder
// under the same path inside, so that artifacts have one path everywhere.
func (s *step) container(ctx context.Context) (env, error) {
	tool, err := s.e.containerTool()
	if err != nil {
		return env{}, fmt.Errorf("it needs a container: %w, or %s", err, s.e.instead(s.c))
	}
	input, _, err := s.input()
	if err != nil {
		return env{}, err
	}
	if err := os.MkdirAll(filepath.Join(s.dir, "outputs"), 0o777); err != nil {
		return env{}, err
	}
	if err := anyUser(filepath.Join(s.dir, "outputs"), s.artifactDir()); err != nil {
		return env{}, err
	}
	x := s.c.Exec.Container
	image, err := s.image()
	if err != nil {
		return env{}, err
	}
	image, err = placeholder.Expand(image, s.placeholder(input))
	if err != nil {
		return env{}, fmt.Errorf("image: %w", err)
	}
	if strings.Contains(image, contract.ProgramImage) {
		return env{}, errors.New("it runs in the program's own image, which runs on this machine don't have; " + s.e.instead(s.c))
	}
	command, err := s.expand(x.Command, input)
	if err != nil {
		return env{}, fmt.Errorf("command: %w", err)
	}
	args, err := s.expand(x.Args, input)
	if err != nil {
		return env{}, fmt.Errorf("args: %w", err)
	}
	if err := errors.Join(allCarried("command", command), allCarried("args", args)); err != nil {
		return env{}, err
	}
	name := s.containerName()
	defer child.Run(child.Command(context.WithoutCancel(ctx), tool, "rm", "-f", name))
	if err := s.launch(ctx, tool, name, image, command, args); err != nil {
		return env{}, err
	}
	return s.containerOutputs(ctx, tool, name)
}

// anyUser lets all users write to folders: an image may have one of its own.
func anyUser(dirs ...string) (err error) {
	for _, dir := range dirs {
		err = errors.Join(err, os.Chmod(dir, 0o777))
	}
	return err
}

// containerName is unique among the containers of this machine.
func (s *step) containerName() string {
	return strings.NewReplacer("/", "-", "_", "-").Replace(fmt.Sprintf("kfpgo-%s-%s-%d", s.e.rec.ID, s.rec.Path, s.rec.Attempts))
}

// launch runs a command in a container that stays there when it has ended.
func (s *step) launch(ctx context.Context, tool, name, image string, command, args []string) error {
	// The image may have a user of its own, who has to get to the step's folders, and no
	// further. The folder of all runs keeps the other users of this machine out.
	if err := os.Chmod(s.e.dir, 0o711); err != nil {
		return err
	}
	argv := []string{"run", "--name", name, "--security-opt", "label=disable", "-v", s.e.dir + ":" + s.e.dir}
	argv = append(append(argv, s.binds()...), s.podFlags()...)
	for _, v := range s.env {
		argv = append(argv, "-e", v)
	}
	for _, d := range s.devices {
		if tool == "podman" {
			argv = append(argv, "--device", fmt.Sprintf("nvidia.com/gpu=%d", d))
		}
	}
	if tool == "docker" && len(s.devices) > 0 {
		argv = append(argv, "--gpus", fmt.Sprintf(`"device=%s"`, s.deviceList()))
	}
	if s.e.o.Shell { // the command is at hand there: eval "$KFPGO_COMMAND"
		argv = append(argv, "-i", "-t", "-e", "KFPGO_COMMAND="+Quoted(slices.Concat(command, args)))
		command, args = []string{"sh"}, nil
	}
	if len(command) > 0 {
		argv = append(argv, "--entrypoint", command[0])
		args = append(slices.Clone(command[1:]), args...)
	}
	argv = append(append(argv, image), args...)
	return s.measured(ctx, func(ctx context.Context) int { return containerProcess(ctx, tool, name) }, tool, argv...)
}

// Quoted returns a command as a shell reads it.
func Quoted(argv []string) string {
	quoted := make([]string, len(argv))
	for i, a := range argv {
		quoted[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}

// goContainer runs a Go step whose program isn't at hand, as that of a compiled
// pipeline, in its image.
func (s *step) goContainer(ctx context.Context) (env, error) {
	tool, err := s.e.containerTool()
	if err != nil {
		return env{}, fmt.Errorf("its program isn't at hand, so it needs a container: %w", err)
	}
	_, file, err := s.input()
	if err != nil {
		return env{}, err
	}
	if err := errors.Join(anyUser(s.dir, s.artifactDir()), os.Chmod(file, 0o644)); err != nil {
		return env{}, err
	}
	image, err := s.image()
	if err != nil {
		return env{}, err
	}
	x, name := s.c.Exec.Go, s.containerName()
	defer child.Run(child.Command(context.WithoutCancel(ctx), tool, "rm", "-f", name))
	if err := s.launch(ctx, tool, name, cmp.Or(image, x.Image), contract.Command(x.Name, "@"+file), nil); err != nil {
		return env{}, err
	}
	return s.output(nil)
}

// image is that of the settings, or else the component's, if any.
func (s *step) image() (string, error) {
	if v := s.t.Settings.Image; v != nil {
		b, ok, err := s.eval(*v)
		if err != nil {
			return "", fmt.Errorf("image: %w", err)
		}
		if ok {
			return plain(b), nil
		}
	}
	if x := s.c.Exec.Container; x != nil {
		return x.Image, nil
	}
	return "", nil
}

// binds are the folders that the container sees beside the run's: claims, and
// artifacts that are elsewhere.
func (s *step) binds() []string {
	var argv []string
	for _, at := range slices.Sorted(maps.Keys(s.mounts)) {
		bind := s.mounts[at] + ":" + at
		if s.readOnly[at] {
			bind += ":ro"
		}
		argv = append(argv, "-v", bind)
	}
	for _, name := range slices.Sorted(maps.Keys(s.in.arts)) {
		for _, a := range s.in.arts[name] {
			if file := run.LocalPath(a.URI); filepath.IsAbs(file) && !strings.HasPrefix(file, s.e.dir+string(filepath.Separator)) {
				argv = append(argv, "-v", file+":"+file+":ro")
			}
		}
	}
	return argv
}

func (s *step) expand(elements []string, input json.RawMessage) ([]string, error) {
	var out []string
	for _, text := range elements {
		got, err := placeholder.ParseElement(text).Expand(s.placeholder(input), s.in.has)
		if err != nil {
			return nil, err
		}
		out = append(out, got...)
	}
	return out, nil
}

// placeholder returns what a placeholder stands for in the container.
func (s *step) placeholder(input json.RawMessage) func(placeholder.Part) (string, error) {
	return func(p placeholder.Part) (string, error) {
		switch p.Kind {
		case placeholder.Text:
			return p.Text, nil
		case placeholder.Executor:
			return string(input), nil
		case placeholder.OutputFile:
			return filepath.Join(s.dir, "output.json"), nil
		case placeholder.Run:
			return s.e.about(p.Name, s.rec.Path)
		case placeholder.InputParam:
			if s.c.Input(p.Name) == nil {
				return "", fmt.Errorf("%s: the component has no input %s", p, p.Name)
			}
			return plain(s.in.params[p.Name]), nil
		case placeholder.OutputParam:
			port := s.c.Output(p.Name)
			if port == nil {
				return "", fmt.Errorf("%s: the component has no output %s", p, p.Name)
			}
			if port.Path != "" {
				return port.Path, nil
			}
			return s.parameterFile(p.Name), nil
		case placeholder.OutputArtifact:
			if port := s.c.Output(p.Name); port != nil && port.Path != "" && p.Field == "path" {
				return port.Path, nil
			}
			return artifactText(s.arts[p.Name], p)
		}
		if !s.in.has(p.Name) {
			return "", nil
		}
		return artifactText(s.in.arts[p.Name], p)
	}
}

// about is what a run knows of itself, by the name of KFP's placeholder.
func (e *engine) about(name, task string) (string, error) {
	switch name {
	case "pipeline_job_name", "pipeline_job_resource_name", "pipeline_job_uuid":
		return e.rec.ID, nil
	case "pipeline_task_name":
		return path.Base(task), nil
	case "pipeline_task_uuid":
		return e.rec.ID + "/" + task, nil
	case "pipeline_root":
		return "file://" + filepath.Join(e.dir, "artifacts"), nil
	case "pipeline_job_schedule_time_utc":
		if !e.rec.Scheduled.IsZero() {
			return e.rec.Scheduled.UTC().Format("2006-01-02T15:04:05Z"), nil
		}
		fallthrough
	case "pipeline_job_create_time_utc":
		return e.rec.Started.Format("2006-01-02T15:04:05Z"), nil
	case "workspace_path":
		if e.p.Config != nil && e.p.Config.Workspace != nil {
			dir := filepath.Join(e.dir, "workspace")
			return dir, errors.Join(os.MkdirAll(dir, 0o777), os.Chmod(dir, 0o777)) // an image may have a user of its own
		}
		return "", errors.New("the pipeline has no workspace")
	}
	return "", fmt.Errorf("%s is not known on this machine", name)
}

func artifactText(arts []run.Artifact, p placeholder.Part) (string, error) {
	if p.Field == "" {
		b, err := json.Marshal(arts)
		return string(b), err
	}
	if len(arts) == 0 {
		return "", fmt.Errorf("%s: there is no such artifact", p)
	}
	switch a := arts[0]; {
	case p.Field == "path":
		return run.LocalPath(a.URI), nil
	case p.Field == "uri":
		return a.URI, nil
	case p.Key != "":
		b, err := json.Marshal(a.Metadata[p.Key])
		return plain(b), err
	default:
		b, err := json.Marshal(a.Metadata)
		return string(b), err
	}
}

// containerOutputs collects what a container wrote. A parameter loses one
// newline at its end, as it does under Argo.
func (s *step) containerOutputs(ctx context.Context, tool, name string) (env, error) {
	out := env{params: map[string]json.RawMessage{}, arts: s.arts}
	for _, port := range s.c.Outputs {
		to := s.parameterFile(port.Name)
		if port.Type.Artifact {
			to = run.LocalPath(s.arts[port.Name][0].URI)
		}
		if port.Path != "" {
			if err := s.process(ctx, tool, "cp", name+":"+port.Path, to); err != nil && (port.Optional || port.Type.Artifact && kfptype.MetadataOnly(port.Type.Name)) && ctx.Err() == nil {
				continue
			} else if err != nil {
				return out, fmt.Errorf("output %s: the container left nothing at %s: %w", port.Name, port.Path, err)
			}
		}
		if port.Type.Artifact {
			if _, err := os.Stat(to); errors.Is(err, os.ErrNotExist) && !port.Optional && !kfptype.MetadataOnly(port.Type.Name) {
				return out, fmt.Errorf("output %s was never written: the container left no file or folder at %s; write it there, or make the output optional", port.Name, to)
			}
			continue
		}
		text, more, err := readAtMost(to, maxParameter)
		if more {
			return out, tooLarge("output " + port.Name)
		}
		if errors.Is(err, os.ErrNotExist) && port.Optional {
			continue
		} else if err != nil {
			return out, fmt.Errorf("output %s was never set: %w", port.Name, err)
		}
		if out.params[port.Name], err = typed(string(text), port.Type.Name); err != nil {
			return out, fmt.Errorf("output %s: %w", port.Name, err)
		}
	}
	return out, nil
}
