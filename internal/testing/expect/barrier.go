package expect

import "sync"

// A barrier lets rows go on when all have come to it, and one of them do what is to
// be done once.
type barrier struct {
	mu      sync.Mutex
	all     int
	waiting []chan error
	do      func() error
}

func (b *barrier) wait(do func() error) error {
	c := make(chan error, 1)
	b.mu.Lock()
	b.waiting, b.do = append(b.waiting, c), do
	b.open()
	b.mu.Unlock()
	return <-c
}

// leave is for a row that comes no more.
func (b *barrier) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all--
	b.open()
}

func (b *barrier) open() {
	if len(b.waiting) == 0 || len(b.waiting) < b.all {
		return
	}
	err := b.do()
	for _, c := range b.waiting {
		c <- err
	}
	b.waiting = nil
}
