package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// check counts how many of the predicted labels are those of the data, and
// returns how many there are. The share must be the accuracy of the run, and not
// less than least.
func (n *numbers) check(data string, least float64) (images int, err error) {
	labels, err := testLabels(data)
	if err != nil {
		return 0, err
	}
	f, err := os.Open(n.predictions)
	if err != nil {
		return 0, fmt.Errorf("the predicted labels: %w", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return 0, fmt.Errorf("the predicted labels: %w", err)
	}
	if len(rows) != len(labels)+1 {
		return 0, fmt.Errorf("%s has %d predicted labels, and there are %d test images", n.predictions, len(rows)-1, len(labels))
	}
	right := 0
	for i, label := range labels {
		if row := rows[i+1]; len(row) == 3 && row[0] == strconv.Itoa(i) && row[2] == strconv.Itoa(int(label)) {
			right++
		}
	}
	var said float64
	if err := json.Unmarshal(n.accuracy, &said); err != nil {
		return 0, fmt.Errorf("accuracy: %w", err)
	}
	switch counted := float64(right) / float64(len(labels)); {
	case counted != said:
		return 0, fmt.Errorf("the run says that the accuracy is %v, and by its predicted labels it is %v", said, counted)
	case counted < least:
		return 0, fmt.Errorf("the accuracy is %v; at least %v was wanted", counted, least)
	}
	return len(labels), nil
}

// testLabels reads the labels of the test images where the pipeline had them from.
func testLabels(dir string) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(dir, "t10k-labels-idx1-ubyte.gz"))
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("the labels of the test images: %w", err)
	}
	labels, err := io.ReadAll(z)
	if err != nil || len(labels) < 9 {
		return nil, fmt.Errorf("the labels of the test images: %d bytes, %v", len(labels), err)
	}
	return labels[8:], nil
}
