package argosim

// memoized takes the outputs of a template from its cache, or puts them there.
func (s *Sim) memoized(c *call, run func(*call) *Node) *Node {
	if c.t.Memoize == nil {
		return run(c)
	}
	t, err := s.lang.Process(c.t, &c.args, s.global, c.local)
	if err != nil {
		return s.wrong(c.node, err)
	}
	if errs := s.left(t.Memoize, s.global, nil); len(errs) > 0 {
		return s.wrong(c.node, errs[0])
	}
	key := t.Memoize.Key
	if of := t.Memoize.Cache; of != nil && of.ConfigMap != nil {
		key = of.ConfigMap.Name + "/" + key
	}
	if out, ok := s.kept[key]; ok {
		return &Node{Phase: "Succeeded", Outputs: out}
	}
	n := run(c)
	if n.Phase == "Succeeded" {
		s.kept[key] = n.Outputs
	}
	return n
}
