package client

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/model/contract"
)

// An Option says something about a run that its pipeline doesn't.
type Option func(*settings)

type settings struct {
	Submission
	compile []compiler.Option
}

// Name names the run. The default is the pipeline's name with the time.
func Name(name string) Option { return func(s *settings) { s.Submission.Name = name } }

// Experiment names KFP's experiment for the run. It is made if it isn't there.
func Experiment(name string) Option { return func(s *settings) { s.Submission.Experiment = name } }

// ServiceAccount names the Kubernetes service account that the run's pods run as.
func ServiceAccount(name string) Option {
	return func(s *settings) { s.Submission.ServiceAccount = name }
}

// ArtifactRoot sets where the run's artifacts go (KFP's pipeline root).
func ArtifactRoot(uri string) Option { return func(s *settings) { s.Submission.ArtifactRoot = uri } }

// Token makes submissions one: the second one with a token returns the run of the
// first. It is for programs that may be started twice for one thing.
func Token(token string) Option { return func(s *settings) { s.Submission.Token = token } }

// Compile adds options of the compiler, such as compiler.Image.
func Compile(opts ...compiler.Option) Option {
	return func(s *settings) { s.compile = append(s.compile, opts...) }
}

// Submit compiles a pipeline, checks it with its arguments and starts a run. The
// image of Go steps is KFPGO_IMAGE, unless an option or the component names another.
//
//	run, err := client.Submit(ctx, c, calc.Pipeline, calc.CalcIn{A: dsl.Const(12.0)})
func Submit[In, Out any](ctx context.Context, c Client, p *dsl.Component[In, Out], in In, opts ...Option) (*Run, error) {
	args, err := p.Arguments(in)
	if err != nil {
		return nil, err
	}
	s, err := submission(ctx, c, p, p.Name(), slices.Collect(maps.Keys(args)), opts)
	if err != nil {
		return nil, err
	}
	s.Args = args
	return c.Submit(ctx, s)
}

// submission compiles a definition for a client, for a run that is given some inputs.
func submission(ctx context.Context, c Client, d dsl.Definition, name string, given []string, opts []Option) (Submission, error) {
	s := settings{compile: []compiler.Option{func(o *emit.Options) {
		o.Exact, o.Given = true, map[string]bool{}
		for _, name := range given {
			o.Given[name] = true
		}
	}}}
	if image := os.Getenv(contract.ImageVar); image != "" {
		s.compile = append(s.compile, compiler.Image(image))
	}
	for _, o := range opts {
		o(&s)
	}
	if err := variable(s.compile); err != nil {
		return s.Submission, err
	}
	if err := d.Check(); err != nil {
		return s.Submission, err
	}
	if s.Name == "" {
		s.Name = RunName(name)
	}
	version, err := KFPVersion(ctx, c)
	if err != nil {
		return s.Submission, err
	}
	s.compile = slices.Insert(s.compile, 0, compiler.KFPVersion(version)) // an option may give another
	s.Spec, err = compiler.Compile(d, c.Target(), s.compile...)
	return s.Submission, err
}

// KFPVersion returns the version of KFP that a server says it is, for
// [compiler.KFPVersion]: such as 2.5, or "" where it is not KFP, doesn't say, or is newer
// than all that the compiler knows.
func KFPVersion(ctx context.Context, c Client) (string, error) {
	v, ok := c.(interface {
		ServerVersion(context.Context) (string, error)
	})
	if !ok {
		return "", nil
	}
	said, err := v.ServerVersion(ctx)
	switch CodeOf(err) {
	case Unavailable, Timeout:
		return "", err
	}
	return emit.KnownVersion(said), nil // whoever may submit may be denied this, and then there is none
}

// variable returns the error in the image of KFPGO_IMAGE, unless an option gives another.
func variable(opts []compiler.Option) error {
	var o emit.Options
	for _, set := range opts {
		set(&o)
	}
	if o.Image == "" || o.Image != os.Getenv(contract.ImageVar) {
		return nil
	}
	if err := emit.CheckImage(o.Image); err != nil {
		return fmt.Errorf("KFPGO_IMAGE: %w", err)
	}
	return nil
}

// RunName returns the name for a run of a pipeline that is given none.
func RunName(pipeline string) string {
	return fmt.Sprintf("%s-%s", pipeline, time.Now().UTC().Format("20060102-150405"))
}

// NewToken returns a token that no other submission has.
func NewToken() string {
	b := make([]byte, 8)
	rand.Read(b)
	return hex.EncodeToString(b)
}
