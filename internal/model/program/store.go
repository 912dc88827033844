package program

// StoreFields are the settings of stores of artifacts that the language has, by the kind of
// store and the name in a Workflow: the field of the type of package argo. What isn't
// there is in the URI.
var StoreFields = map[string]map[string]string{
	"s3": {
		"endpoint": "Endpoint", "region": "Region", "insecure": "Insecure", "accessKeySecret": "AccessKey", "secretKeySecret": "SecretKey",
		"sessionTokenSecret": "SessionToken", "roleARN": "RoleARN", "useSDKCreds": "UseSDKCreds",
	},
	"gcs":   {"serviceAccountKeySecret": "ServiceAccountKey"},
	"oss":   {"endpoint": "Endpoint", "accessKeySecret": "AccessKey", "secretKeySecret": "SecretKey", "useSDKCreds": "UseSDKCreds"},
	"azure": {"endpoint": "Endpoint", "accountKeySecret": "AccountKey", "useSDKCreds": "UseSDKCreds"},
	"git": {
		"usernameSecret": "Username", "passwordSecret": "Password", "sshPrivateKeySecret": "SSHPrivateKey", "insecureIgnoreHostKey": "InsecureIgnoreHostKey",
		"branch": "Branch", "singleBranch": "SingleBranch", "depth": "Depth", "fetch": "Fetch", "disableSubmodules": "DisableSubmodules",
	},
	"http": {"headers": "Headers"},
}

// StoreTypes are the types of package argo by the kind of store.
var StoreTypes = map[string]string{"s3": "S3", "gcs": "GCS", "oss": "OSS", "azure": "Azure", "git": "Git", "http": "HTTP"}
