package kfpread

// component reads a component of KFP 1.
func (f *file) component(docs []*node) {
	f.errorf(docs[0], "components of KFP 1 are not read yet")
}
