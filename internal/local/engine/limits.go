package engine

import (
	"fmt"
	"io"
	"os"
)

// Limits of the outputs of a step, which a run keeps in memory and in its record.
// Larger values can't be parameters: KFP's and Argo's servers refuse them, too.
const (
	maxParameter = 256 << 10 // bytes of the JSON of an output parameter, and of the metadata of an artifact
	maxOutput    = 16 << 20  // bytes of an executor output
	maxMessage   = 4096      // bytes of why a step failed
)

// tooLarge is the error for an output that is larger than maxParameter.
func tooLarge(what string) error {
	return fmt.Errorf("%s has more than %d bytes; write it to the file of an artifact, such as a Dataset, and pass that on", what, maxParameter)
}

// readAtMost reads a file, and reports whether it has more than limit bytes, which are
// not read then.
func readAtMost(file string, limit int64) (b []byte, more bool, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if b, err = io.ReadAll(io.LimitReader(f, limit+1)); int64(len(b)) > limit {
		return nil, true, nil
	}
	return b, false, err
}

// clip cuts a message off that is too long.
func clip(msg string) string {
	if len(msg) <= maxMessage {
		return msg
	}
	end := maxMessage
	for end > 0 && msg[end]&0xc0 == 0x80 { // in the middle of a character
		end--
	}
	return msg[:end] + "…"
}
