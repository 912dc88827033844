package kfp

import "github.com/kfpgo/kfpgo/internal/model/program"

// serverImages are the images by which KFP's server knows the operations that it does
// by itself. Nothing is ever pulled.
var serverImages = map[string]string{
	program.CreatePVC: "argostub/createpvc",
	program.DeletePVC: "argostub/deletepvc",
}

// builtin returns the name of the operation, if KFP knows it by itself.
func builtin(c *program.Component) string {
	if c == nil || c.Exec == nil || c.Exec.Resource == nil {
		return ""
	}
	return c.Exec.Resource.Builtin
}
