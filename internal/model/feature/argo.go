package feature

const (
	noLocks = "its servers have no locks between runs; leave it out, or limit the runs of a schedule at once"
	ofARun  = "between the steps of one run"

	noSuspend = "its servers don't wait for a person; split the pipeline in two, the second of which the person starts"
)

// argo are the features of package argo, which only Argo has.
var argo = []Row{
	row("exec.suspend", "argo.Suspend", no(noSuspend), yes, but("kfpgo run asks on the terminal, or takes --answer TASK.OUTPUT=VALUE")),
	option("store", no("its launcher has the credentials of its own store only; leave argo.From out, and set the credentials up in KFP"), yes, but("it is read where it is, with the credentials of this machine")),
	row("import.data", "dsl.Import of argo.Raw", no("its launcher fetches from stores only; pass the string as a parameter"), yes, yes),
	option("mutex", no(noLocks), yes, but(ofARun)),
	optionWith("mutex.reference", "of a reference", no(noLocks), yes, but(ofARun)),
	option("semaphore", no(noLocks), yes, but(ofARun+", as many as the file KEY of the folder config-maps/NAME of KFPGO_HOME says")),
	optionWith("semaphore.reference", "of a reference", no(noLocks), yes, but(ofARun+", as many as the file KEY of the folder config-maps/NAME of KFPGO_HOME says")),
	option("database-semaphore", no(noLocks), but("since Argo 3.7"), but(ofARun+", one at a time")),
	optionWith("database-semaphore.reference", "of a reference", no(noLocks), but("since Argo 3.7"), but(ofARun+", one at a time")),
}
