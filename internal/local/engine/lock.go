package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// locks are the mutexes and semaphores that the steps of a run wait for.
type locks struct {
	mu     sync.Mutex
	byName map[string]chan struct{}
}

// get returns a lock that so many steps have at a time.
func (l *locks) get(name string, most int) chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byName == nil {
		l.byName = map[string]chan struct{}{}
	}
	if l.byName[name] == nil {
		l.byName[name] = make(chan struct{}, most)
	}
	return l.byName[name]
}

// lock waits for what the step locks, in one order for all steps, and returns what
// gives it back.
func (s *step) lock(ctx context.Context) (unlock func(), err error) {
	most, err := s.locks()
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(most))
	for name := range most {
		names = append(names, name)
	}
	slices.Sort(names)
	var held []chan struct{}
	unlock = func() {
		for _, l := range held {
			<-l
		}
	}
	for _, name := range names {
		l := s.e.locks.get(name, most[name])
		select {
		case l <- struct{}{}:
			held = append(held, l)
		case <-ctx.Done():
			unlock()
			return nil, ctx.Err()
		}
	}
	return unlock, nil
}

// locks returns what the step locks, by name, and how many steps may have it.
func (s *step) locks() (map[string]int, error) {
	most := map[string]int{}
	text := func(what string, v program.Value) (string, error) {
		b, ok, err := s.eval(v)
		if err == nil && !ok {
			err = fmt.Errorf("it was not given")
		}
		if err != nil {
			return "", fmt.Errorf("the name of a %s that the task waits for: %w", what, err)
		}
		return plain(b), nil
	}
	set := &s.t.Settings
	for _, m := range set.Mutexes {
		name, err := text("mutex", m.Name)
		if err != nil {
			return nil, err
		}
		most["mutex "+m.Namespace+"/"+name] = 1
	}
	for _, m := range set.DatabaseSemaphores {
		key, err := text("semaphore", m.Key)
		if err != nil {
			return nil, err
		}
		most["database "+m.Namespace+"/"+key] = 1
	}
	for _, m := range set.Semaphores {
		name, err := text("semaphore", m.ConfigMap)
		if err != nil {
			return nil, err
		}
		dir, err := s.objectDir(configMaps, name)
		if err != nil {
			return nil, err
		}
		if err := valid(m.Key); err != nil {
			return nil, fmt.Errorf("%q is not a key of the config map %s", m.Key, name)
		}
		file := filepath.Join(dir, m.Key)
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("a semaphore takes its number from a config map, and there is no cluster to take it from; write it to %s: %w", file, err)
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(b)))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%s: %q is not the number of steps that may have the semaphore; write one such as 2", file, strings.TrimSpace(string(b)))
		}
		most["config map "+m.Namespace+"/"+name+"/"+m.Key] = n
	}
	return most, nil
}
