package lazyregexp

// The methods are those of regexp.Regexp.

func (r *Regexp) Match(b []byte) bool { return r.compiled().Match(b) }

func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

func (r *Regexp) Find(b []byte) []byte { return r.compiled().Find(b) }

func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compiled().FindStringSubmatchIndex(s)
}

func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.compiled().FindSubmatch(b) }

func (r *Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}

func (r *Regexp) ReplaceAllString(s, with string) string {
	return r.compiled().ReplaceAllString(s, with)
}

func (r *Regexp) ReplaceAllStringFunc(s string, f func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, f)
}

func (r *Regexp) ReplaceAll(b, with []byte) []byte { return r.compiled().ReplaceAll(b, with) }

func (r *Regexp) ReplaceAllFunc(b []byte, f func([]byte) []byte) []byte {
	return r.compiled().ReplaceAllFunc(b, f)
}
