module github.com/kfpgo/kfpgo

go 1.26.0
