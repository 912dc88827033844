package usage

import (
	"bytes"
	"os"
	"strconv"
)

// Supported is nil where steps can be measured.
func Supported() error { return nil }

// ticks is how many parts of a second the kernel counts in: USER_HZ, which is the same
// everywhere.
const ticks = 100

// processes returns a process with its group, and all that they have started.
func processes(pid int) ([]process, error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	all, children := map[int]process{}, map[int][]int{}
	next := []int{pid}
	for _, name := range names {
		id, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		b, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // it has ended
		}
		p, parent, group, ok := stat(b)
		if !ok {
			continue
		}
		p.pid = id
		all[id] = p
		children[parent] = append(children[parent], id)
		if group == pid {
			next = append(next, id)
		}
	}
	var list []process
	for len(next) > 0 {
		id := next[0]
		next = next[1:]
		if p, ok := all[id]; ok {
			delete(all, id) // once
			list = append(list, p)
			next = append(next, children[id]...)
		}
	}
	return list, nil
}

// stat reads /proc/PID/stat: PID (NAME) STATE PARENT GROUP and so on, where a name may
// have spaces and parentheses.
func stat(b []byte) (p process, parent, group int, ok bool) {
	const state, ppid, pgrp, utime, stime, rss = 0, 1, 2, 11, 12, 21
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) <= rss || string(fields[state]) == "Z" {
		return p, 0, 0, false
	}
	number := func(i int) int64 {
		n, err := strconv.ParseInt(string(fields[i]), 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	p.seconds = float64(number(utime)+number(stime)) / ticks
	p.memory = number(rss) * int64(os.Getpagesize())
	return p, int(number(ppid)), int(number(pgrp)), true
}
