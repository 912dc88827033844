package argoread

// The types of a Workflow, as far as a program can say what they say. Fields that
// Argo has and these don't are refused by name when a file is decoded.

type object struct {
	At         pos
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   metadata
	Spec       raw
}

type metadata struct {
	At                pos
	Name              string
	GenerateName      string
	Namespace         text
	Labels            map[string]string
	Annotations       map[string]string
	CreationTimestamp raw
	UID               raw `yaml:"uid"`
	ResourceVersion   raw
	Generation        raw
	ManagedFields     raw
}

type cronSpec struct {
	At                         pos
	Schedule                   string
	Schedules                  []string
	Timezone                   string
	Suspend                    bool
	ConcurrencyPolicy          text
	StartingDeadlineSeconds    *int64
	SuccessfulJobsHistoryLimit text
	FailedJobsHistoryLimit     text
	WorkflowSpec               workflowSpec
	WorkflowMetadata           raw
}

type workflowSpec struct {
	At                    pos
	Entrypoint            string
	OnExit                text
	Hooks                 map[string]hook
	Arguments             arguments
	Templates             []*template
	TemplateDefaults      *template
	WorkflowTemplateRef   *templateRef
	Volumes               []volume
	VolumeClaimTemplates  []claim
	VolumeClaimGC         raw
	ActiveDeadlineSeconds int64
	TTLStrategy           *ttl `yaml:"ttlStrategy"`
	ImagePullSecrets      []named
	NodeSelector          map[string]string
	Tolerations           []toleration
	HostAliases           []hostAlias
	PodMetadata           *podMetadata
	Parallelism           int64
	Synchronization       *synchronization

	// What isn't of a pipeline, but of where and how it runs.
	ServiceAccountName           text
	AutomountServiceAccountToken text
	Executor                     raw
	PodGC                        raw `yaml:"podGC"`
	ArtifactGC                   raw `yaml:"artifactGC"`
	ArchiveLogs                  text
	ArtifactRepositoryRef        raw
	PodDisruptionBudget          raw
	WorkflowMetadata             raw
}

type hook struct {
	At        pos
	Template  string
	Arguments arguments
}

// A synchronization is what runs wait for each other by.
type synchronization struct {
	At         pos
	Mutex      *mutex
	Mutexes    []mutex
	Semaphore  *semaphore
	Semaphores []semaphore
}

type mutex struct {
	At        pos
	Name      string
	Namespace text
	Database  bool
}

type semaphore struct {
	At              pos
	ConfigMapKeyRef *keyRef
	Namespace       text
	Database        *databaseKey
}

type databaseKey struct{ Key string }

type ttl struct {
	SecondsAfterCompletion, SecondsAfterSuccess, SecondsAfterFailure int64
}

type named struct{ Name string }

type podMetadata struct {
	Labels, Annotations map[string]string
}

type arguments struct {
	Parameters []parameter
	Artifacts  []artifact
}

type parameter struct {
	At          pos
	Name        string
	Value       *text
	Default     *text
	Description string
	ValueFrom   *valueFrom
	GlobalName  text
	Enum        []text
}

type valueFrom struct {
	At         pos
	Path       string
	Parameter  string
	JSONPath   string `yaml:"jsonPath"`
	Default    *text
	Expression text
	Supplied   raw // a person gives it
}

type artifact struct {
	At       pos
	Name     string
	Path     string
	From     string
	Optional bool
	Archive  raw
	Mode     raw

	S3    raw `yaml:"s3"`
	GCS   raw `yaml:"gcs"`
	OSS   raw `yaml:"oss"`
	Azure raw
	Git   raw
	HTTP  raw `yaml:"http"`
	Raw   *rawData
}

// rawData is an artifact whose content is in the file.
type rawData struct{ Data text }

type template struct {
	At           pos
	Name         string
	Inputs       arguments
	Outputs      arguments
	Steps        [][]*task
	DAG          *dagTemplate `yaml:"dag"`
	Container    *container
	Script       *container
	Resource     *resource
	Volumes      []volume
	Metadata     podMetadata
	Plugin       raw
	HTTP         raw `yaml:"http"`
	Suspend      *suspend
	Daemon       text
	Data         raw
	ContainerSet raw

	NodeSelector          map[string]string
	Tolerations           []toleration
	HostAliases           []hostAlias
	RetryStrategy         *retry
	ActiveDeadlineSeconds string
	InitContainers        []sideContainer
	Sidecars              []sideContainer
	ServiceAccountName    text
	Parallelism           int64
	FailFast              *bool
	Annotations           raw // of the node in Argo's UI
	Timeout               text
	Synchronization       *synchronization
}

// A suspend waits for a person.
type suspend struct {
	At       pos
	Duration text
}

type dagTemplate struct {
	At    pos
	Tasks []*task
}

type task struct {
	At           pos
	Name         string
	Template     string
	TemplateRef  *templateRef
	Inline       *template
	Arguments    arguments
	Dependencies []string
	Depends      text
	When         text
	WithItems    *raw
	WithParam    text
	WithSequence *sequence
}

type templateRef struct {
	At           pos
	Name         string
	Template     string
	ClusterScope bool
}

type sequence struct {
	At                        pos
	Count, Start, End, Format string
}

type container struct {
	At              pos
	Name            string
	Image           string
	Command         []string
	Args            []string
	Source          string
	Env             []env
	Resources       resources
	VolumeMounts    []mount
	ImagePullPolicy string
	SecurityContext *security
	WorkingDir      text
	ReadinessProbe  raw
}

// A sideContainer is one beside the main one, or before it.
type sideContainer struct {
	At                 pos
	Name               string
	Image              string
	Command            []string
	Args               []string
	Env                []env
	Resources          resources
	VolumeMounts       []mount
	MirrorVolumeMounts text
}

type security struct {
	RunAsUser    *int64
	RunAsGroup   *int64
	RunAsNonRoot *bool
}

type env struct {
	At        pos
	Name      string
	Value     string
	ValueFrom *envSource
}

type envSource struct {
	At              pos
	SecretKeyRef    *keyRef
	ConfigMapKeyRef *keyRef
	FieldRef        *fieldRef
}

type keyRef struct {
	Name, Key string
	Optional  bool
}

type fieldRef struct {
	APIVersion string `yaml:"apiVersion"`
	FieldPath  string
}

type resources struct {
	Limits, Requests map[string]string
}

type mount struct {
	At        pos
	Name      string
	MountPath string
	SubPath   string
	ReadOnly  bool
}

type volume struct {
	At                    pos
	Name                  string
	EmptyDir              *emptyDir
	PersistentVolumeClaim *claimSource
	Secret                *objectSource
	ConfigMap             *objectSource
}

type emptyDir struct{ Medium, SizeLimit string }

type claimSource struct {
	ClaimName string
	ReadOnly  bool
}

type objectSource struct {
	SecretName, Name string
	Optional         bool
}

type claim struct {
	At       pos
	Metadata named
	Spec     claimSpec
}

type claimSpec struct {
	AccessModes      []string
	StorageClassName string
	Resources        resources
}

type retry struct {
	At          pos
	Limit       string
	RetryPolicy string
	Backoff     *backoff
}

type backoff struct{ Duration, Factor, MaxDuration, Cap string }

type hostAlias struct {
	IP        string `yaml:"ip"`
	Hostnames []string
}

type toleration struct {
	Key, Operator, Value, Effect string
	TolerationSeconds            *int64
}

type resource struct {
	At                pos
	Action            string
	Manifest          string
	SuccessCondition  string
	FailureCondition  string
	MergeStrategy     string
	SetOwnerReference text
	Flags             []string
}
