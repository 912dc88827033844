package contexts

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// A Field is what the tags of a field of [Settings] say.
type Field struct {
	Name, Flag, Help        string // Help has the name of the value in backquotes
	Env                     []string
	For, Only               string
	Credential, Group, With string
	URL, Secret             bool
	index                   int
}

// Fields returns all settings, in the order of the struct.
var Fields = sync.OnceValue(func() (all []*Field) {
	t := reflect.TypeFor[Settings]()
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		f := &Field{
			Name: t.Field(i).Name, Flag: tag.Get("flag"), Help: strings.NewReplacer("<", "`", ">", "`").Replace(tag.Get("help")), For: tag.Get("for"), Only: tag.Get("only"),
			Credential: tag.Get("credential"), Group: tag.Get("group"), With: tag.Get("with"), URL: tag.Get("form") == "url", Secret: tag.Get("json") == "-", index: i,
		}
		if env := tag.Get("env"); env != "" {
			f.Env = strings.Split(env, ",")
		}
		if f.Flag == "" {
			f.Flag, _, _ = strings.Cut(tag.Get("yaml"), ",")
		}
		all = append(all, f)
	}
	return all
})

func (f *Field) of(s *Settings) reflect.Value { return reflect.ValueOf(s).Elem().Field(f.index) }

// In returns where settings have the field: a *string, a *[]string or a *bool.
func (f *Field) In(s *Settings) any { return f.of(s).Addr().Interface() }

// Empty reports whether settings leave the field out.
func (f *Field) Empty(s *Settings) bool {
	v := f.of(s)
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

// Copy sets the field as other settings have it.
func (f *Field) Copy(to, from *Settings) { f.of(to).Set(f.of(from)) }

// Text returns the value for people: a command without its arguments, which may be secrets.
func (f *Field) Text(s *Settings) string {
	if list, ok := f.In(s).(*[]string); ok {
		return (*list)[0]
	}
	return fmt.Sprint(f.of(s))
}

// Match sets the fields of a struct that another one has too, by their names: of Settings
// and of the Config of a client, both given by their addresses.
func Match(to, from any) {
	t, f := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for _, of := range reflect.VisibleFields(t.Type()) {
		if v := f.FieldByName(of.Name); v.IsValid() {
			t.FieldByIndex(of.Index).Set(v)
		}
	}
}
