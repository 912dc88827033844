package argo

func (l *leaf) resource() { l.errorf("a resource can't be written for Argo yet") }
