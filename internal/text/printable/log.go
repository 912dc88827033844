package printable

import "strings"

// Log returns the text that a terminal would show of output for terminals: without
// colors and other sequences, and of a line that was written over the last text. The
// rest is as [Text] has it; so is a sequence that doesn't end on its line, which else
// could hide what follows it.
func Log(s string) string {
	if !strings.ContainsAny(s, "\x1b\r") {
		return Text(s)
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		line = strings.TrimRight(withoutSequences(line), "\r")
		lines[i] = line[strings.LastIndexByte(line, '\r')+1:]
	}
	return Text(strings.Join(lines, "\n"))
}

// withoutSequences takes the escape sequences out of a line.
func withoutSequences(line string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(line, 0x1b)
		if i < 0 {
			b.WriteString(line)
			return b.String()
		}
		n := sequence(line[i:])
		if n == 0 {
			b.WriteString(line[:i+1])
			n = 1
		} else {
			b.WriteString(line[:i])
		}
		line = line[i+n:]
	}
}

// sequence returns the length of the escape sequence that a string begins with; 0: it has
// no end.
func sequence(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch c := s[1]; {
	case c == '[': // parameters, intermediates and a final byte
		i := 2
		for i < len(s) && s[i] >= 0x20 && s[i] < 0x40 {
			i++
		}
		if i < len(s) && s[i] >= 0x40 && s[i] < 0x7f {
			return i + 1
		}
	case strings.IndexByte("]PX^_", c) >= 0: // a string, up to BEL or ESC \
		for i := 2; i < len(s); i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == 0x1b {
				if i+1 < len(s) && s[i+1] == '\\' {
					return i + 2
				}
				return 0
			}
		}
	case c >= 0x20 && c < 0x30: // intermediates and a final byte
		i := 2
		for i < len(s) && s[i] >= 0x20 && s[i] < 0x30 {
			i++
		}
		if i < len(s) && s[i] >= 0x30 && s[i] < 0x7f {
			return i + 1
		}
	case c >= 0x30 && c < 0x7f:
		return 2
	}
	return 0
}
