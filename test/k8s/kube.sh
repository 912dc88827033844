# shellcheck shell=bash
# The parts of a Kubernetes of one node, each a function that starts it, for the
# scripts that put them together: cluster has Argo on top.
#
# What runs is in one network namespace, $NS, that no route leads out of, and leaves
# its files in $RUN. One a machine: kubelets share the machine's cgroups.
ROOT=${ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/kfpgo/e2e}
NS=${NS:-kfpgo-e2e}
RUN=${RUN:-$ROOT/run}; IMG=$ROOT/img
STATE=/run/$NS.root # names the folder of the cluster that is up, whoever started it
NODE=node1; NODEIP=10.250.0.1; PODNET=10.244.0.0/16; SVCNET=10.96.0.0/16; SVCIP=10.96.0.1
export PATH=$ROOT/bin:$PATH

places() { PKI=$RUN/pki; LOG=$RUN/log; export KUBECONFIG=$RUN/admin.kubeconfig; }
places
in_ns() { nsenter --net=/run/netns/$NS -- "$@"; } # not 'ip netns exec': that remounts /sys and hides the cgroup mounts
k() { in_ns "$ROOT/bin/kubectl" "$@"; }
say() { echo "[$(date +%T.%3N)] $*"; }

start() { # NAME PROGRAM ARGS... : in the background, with a log and a record of its pid
	local name=$1 pid
	shift
	setsid nsenter --net=/run/netns/$NS -- "$@" >"$LOG/$name.log" 2>&1 </dev/null 3>&- 4>&- 5>&- 9>&- & # no lock of whoever calls is to be held by what goes on
	pid=$!
	echo "$pid $(awk '{print $22}' /proc/$pid/stat)" >"$RUN/pid/$name"
}
mine() { # NAME : its pid, if it is still the process that start started
	local pid since
	read -r pid since 2>/dev/null <"$RUN/pid/$1" && [ "$(awk '{print $22}' "/proc/$pid/stat" 2>/dev/null)" = "$since" ] && echo "$pid"
}
halt() { # NAME... : by SIGTERM, and by SIGKILL after 10 s
	local n p i
	for n in "$@"; do p=$(mine "$n") && kill "$p"; done
	for n in "$@"; do
		for i in $(seq 50); do mine "$n" >/dev/null || break; sleep 0.2; done
		p=$(mine "$n") && kill -9 "$p"
	done
	return 0
}
waitfor() { # WHAT SECONDS COMMAND...
	local what=$1 n=$2 i
	shift 2
	for i in $(seq $((n * 5))); do "$@" >/dev/null 2>&1 && { say "$what"; return 0; }; sleep 0.2; done
	say "TIMEOUT: $what"
	return 1
}

SYSCTLS="vm.overcommit_memory kernel.panic kernel.panic_on_oops kernel.keys.root_maxkeys kernel.keys.root_maxbytes" # the kubelet sets these for the whole machine
room() { # fails where the disk has less than what images and runs take: the kubelet would evict pods in the middle of the tests
	local free
	mkdir -p "$RUN" && free=$(df --output=avail -BM "$RUN" | tail -n 1 | tr -dc 0-9)
	[ "$free" -ge 2000 ] || { say "the disk of $RUN has $free MB free, and a cluster needs 2000: delete what isn't needed, such as old files of 'go env GOCACHE', or set RUN to a folder on another disk"; return 1; }
}
claim() { # the machine: making the namespace is the lock, and comes before any file is written
	[ -n "${NONODE:-}" ] || room || return 1
	mkdir -p /run/netns
	ip netns add $NS 2>/dev/null || { say "a cluster is up, of $(cat $STATE 2>/dev/null || echo "a folder that isn't known"); 'cluster down' stops it"; return 1; }
	echo "$RUN" >$STATE
	rm -rf "$RUN"
	mkdir -p "$RUN"/{pid,etcd,cni,kubelet,podlogs,containerd} "$PKI" "$LOG"
	local v
	[ -z "${NONODE:-}" ] || : >"$RUN/nonode" # what a kubelet changes of the machine is not ours
	sysctl $SYSCTLS >"$RUN/sysctl.before"
	for v in /var/lib/kubelet /var/lib/cni /tmp/hostpath_pv; do [ -e $v ] || echo $v; done >"$RUN/mine" # made whatever their folders are set to; release removes them if they are ours
	in_ns ip link set lo up
	# Where a kernel has no dummy device, a veth pair with both ends inside does the same.
	in_ns ip link add node0 type veth peer name node0p && in_ns ip addr add $NODEIP/24 dev node0 && in_ns ip link set node0p up && in_ns ip link set node0 up || return 1
	in_ns ip route add default dev node0 # some components want a default route; it ends inside the namespace
	in_ns sysctl -qw net.ipv4.ip_forward=1
}

cert() { # NAME SUBJECT [ALTERNATIVE NAMES]
	openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$PKI/$1.key" -out "$PKI/$1.csr" -subj "$2" 2>/dev/null
	openssl x509 -req -in "$PKI/$1.csr" -CA "$PKI/ca.crt" -CAkey "$PKI/ca.key" -CAcreateserial -days 30 -out "$PKI/$1.crt" \
		-extfile <(printf 'basicConstraints=CA:FALSE\nkeyUsage=digitalSignature,keyEncipherment\nextendedKeyUsage=serverAuth,clientAuth\n%s\n' "${3:+subjectAltName=$3}") 2>/dev/null
}
kubeconf() { # NAME : of a user, with the certificate of that name
	cat >"$RUN/$1.kubeconfig" <<Y
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:6443", certificate-authority: $PKI/ca.crt}}]
users: [{name: u, user: {client-certificate: $PKI/$1.crt, client-key: $PKI/$1.key}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
Y
}
certs() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$PKI/ca.key" -out "$PKI/ca.crt" -days 30 -subj /CN=ca \
		-addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,digitalSignature,keyCertSign 2>/dev/null || return 1
	cert apiserver /CN=kube-apiserver "DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:localhost,IP:127.0.0.1,IP:$SVCIP,IP:$NODEIP"
	cert kubelet-server /CN=$NODE "DNS:$NODE,IP:$NODEIP"
	cert admin /O=system:masters/CN=admin
	cert kubelet /O=system:nodes/CN=system:node:$NODE
	cert kcm /CN=system:kube-controller-manager
	cert sched /CN=system:kube-scheduler
	cert proxy /CN=system:kube-proxy
	openssl genrsa -out "$PKI/sa.key" 2048 2>/dev/null
	openssl rsa -in "$PKI/sa.key" -pubout -out "$PKI/sa.pub" 2>/dev/null || return 1
	local u
	for u in admin kubelet kcm sched proxy; do kubeconf $u; done
}

start_etcd() {
	start etcd "$ROOT/bin/etcd" --data-dir "$RUN/etcd" --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
		--listen-peer-urls http://127.0.0.1:2380 --unsafe-no-fsync --log-level warn
}
start_apiserver() {
	start kube-apiserver "$ROOT/bin/kube-apiserver" --etcd-servers=http://127.0.0.1:2379 --bind-address=0.0.0.0 --secure-port=6443 --advertise-address=$NODEIP \
		--tls-cert-file="$PKI/apiserver.crt" --tls-private-key-file="$PKI/apiserver.key" --client-ca-file="$PKI/ca.crt" \
		--kubelet-client-certificate="$PKI/admin.crt" --kubelet-client-key="$PKI/admin.key" --kubelet-certificate-authority="$PKI/ca.crt" --kubelet-preferred-address-types=InternalIP \
		--service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$PKI/sa.pub" --service-account-signing-key-file="$PKI/sa.key" \
		--service-cluster-ip-range=$SVCNET --authorization-mode=Node,RBAC --allow-privileged=true --cert-dir="$RUN/apiserver-certs" --profiling=false \
		${APISERVER:-} --requestheader-client-ca-file="$PKI/ca.crt" --requestheader-allowed-names=front-proxy --requestheader-username-headers=X-Remote-User --requestheader-group-headers=X-Remote-Group --requestheader-extra-headers-prefix=X-Remote-Extra-
	waitfor "apiserver" 120 k get --raw /readyz
}
start_controllers() { # and the scheduler; claims of the class host-path are folders of the node
	start kcm "$ROOT/bin/kube-controller-manager" --kubeconfig="$RUN/kcm.kubeconfig" --authentication-kubeconfig="$RUN/kcm.kubeconfig" --authorization-kubeconfig="$RUN/kcm.kubeconfig" \
		--service-account-private-key-file="$PKI/sa.key" --root-ca-file="$PKI/ca.crt" --use-service-account-credentials=true --leader-elect=false --enable-hostpath-provisioner=true --bind-address=127.0.0.1 --cert-dir="$RUN/kcm-certs"
	start sched "$ROOT/bin/kube-scheduler" --kubeconfig="$RUN/sched.kubeconfig" --authentication-kubeconfig="$RUN/sched.kubeconfig" --authorization-kubeconfig="$RUN/sched.kubeconfig" \
		--leader-elect=false --bind-address=127.0.0.1 --cert-dir="$RUN/sched-certs"
}
start_containerd() {
	cat >"$RUN/containerd/config.toml" <<T
version = 2
root = "$RUN/containerd/root"
state = "$RUN/containerd/state"
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs", "io.containerd.tracing.processor.v1.otlp"]
[grpc]
  address = "$RUN/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "registry.local/pause:1"
  restrict_oom_score_adj = true          # root may lack CAP_SYS_RESOURCE: without it runc dies ("can't get final child's PID from pipe")
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$RUN/cni"
  [plugins."io.containerd.grpc.v1.cri".registry.mirrors."localhost:5000"]
    endpoint = ["http://localhost:5000"]
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        BinaryName = "$(command -v runc)"
        SystemdCgroup = false
T
	cat >"$RUN/cni/10-bridge.conflist" <<J
{"cniVersion":"0.4.0","name":"k8s","plugins":[
 {"type":"bridge","bridge":"cni0","isGateway":true,"ipMasq":false,"hairpinMode":true,
  "ipam":{"type":"host-local","ranges":[[{"subnet":"10.244.0.0/24"}]],"routes":[{"dst":"0.0.0.0/0"}],"dataDir":"$RUN/cni-ipam"}},
 {"type":"portmap","capabilities":{"portMappings":true}}]}
J
	start containerd containerd -c "$RUN/containerd/config.toml"
	waitfor "containerd" 60 ctr -a "$RUN/containerd.sock" version
}
load() { # TAR... : images
	local i
	for i in "$@"; do ctr -a "$RUN/containerd.sock" -n k8s.io images import "$i" >/dev/null || return 1; done
}
start_kubelet() { # and kube-proxy
	cat >"$RUN/kubelet.yaml" <<Y
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
containerRuntimeEndpoint: unix://$RUN/containerd.sock
podLogsDir: $RUN/podlogs
address: 0.0.0.0
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $PKI/ca.crt}}
authorization: {mode: Webhook}
tlsCertFile: $PKI/kubelet-server.crt
tlsPrivateKeyFile: $PKI/kubelet-server.key
resolvConf: ""
clusterDNS: [$NODEIP]
clusterDomain: cluster.local
maxPods: 250
# Sizes and no percentages: of a disk of 252 GB 1% is more than the tests write.
evictionHard: {memory.available: 100Mi, nodefs.available: 200Mi, imagefs.available: 200Mi, nodefs.inodesFree: 1%, imagefs.inodesFree: 1%}
imageGCHighThresholdPercent: 100
registerNode: true
Y
	start kubelet "$ROOT/bin/kubelet" --config="$RUN/kubelet.yaml" --kubeconfig="$RUN/kubelet.kubeconfig" --root-dir="$RUN/kubelet" --hostname-override=$NODE --node-ip=$NODEIP --v=2
	start kube-proxy "$ROOT/bin/kube-proxy" --kubeconfig="$RUN/proxy.kubeconfig" --proxy-mode=iptables --cluster-cidr=$PODNET --hostname-override=$NODE --conntrack-max-per-core=0 --bind-address=$NODEIP
	waitfor "node" 120 node_ready
}
node_ready() { k get node $NODE -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}' | grep -q True; }
start_dns() {
	printf '.:53 {\n errors\n ready 127.0.0.1:8181\n kubernetes cluster.local in-addr.arpa {\n  kubeconfig %s\n }\n cache 5\n}\n' "$RUN/admin.kubeconfig" >"$RUN/Corefile"
	start coredns "$ROOT/bin/coredns" -conf "$RUN/Corefile"
}
start_s3() { # a store in memory, with the bucket artifacts
	start s3 "$ROOT/bin/s3" $NODEIP:9000
}
start_api() { # the API on a socket, for programs outside of the namespace
	start api "$ROOT/bin/kubectl" proxy --unix-socket="$RUN/api.sock" --reject-methods='^$' --reject-paths='^$'
	waitfor "API socket" 30 test -S "$RUN/api.sock"
}

# release stops and removes all that a cluster has left, also one whose starter died,
# and of which pids, containerd or files are gone.
release() {
	local n p i C
	[ ! -s $STATE ] || RUN=$(cat $STATE)
	places
	C="ctr -a $RUN/containerd.sock -n k8s.io"
	halt workflow-controller coredns s3 api kube-proxy kubelet
	if mine containerd >/dev/null; then # stop the containers through containerd before it goes
		for p in $($C tasks ls -q 2>/dev/null); do $C tasks kill -s KILL "$p"; done >/dev/null 2>&1
		sleep 1
		for p in $($C tasks ls -q 2>/dev/null); do $C tasks rm -f "$p"; done >/dev/null 2>&1 # its shim goes; what containerd knows of containers goes with its files
	fi
	[ ! -d "$RUN/pid" ] || halt $(ls "$RUN/pid")
	if [ -e /run/netns/$NS ]; then # whatever else runs in the namespace, shims among it
		for i in TERM KILL; do
			p=$(ip netns pids $NS 2>/dev/null)
			[ -z "$p" ] || { kill -$i $p 2>/dev/null; sleep 1; }
		done
	fi
	for i in 1 2 3; do grep -o " $RUN/[^ ]*" /proc/mounts | sort -r | xargs -r -n1 umount -l 2>/dev/null; done # pod volumes, overlays, the pods' network namespaces
	[ -n "${NONODE:-}" ] || [ -f "$RUN/nonode" ] || release_node
	rm -rf "$RUN"
	ip netns del $NS 2>/dev/null || { umount -l /run/netns/$NS; rm -f /run/netns/$NS; } 2>/dev/null
	rm -f $STATE # last: the namespace is the lock, and this says whose it is
	return 0
}
release_node() {
	local p i
	for p in $(find /sys/fs/cgroup -path '*/kubepods/*' -name cgroup.procs -exec cat {} + 2>/dev/null | sort -u); do # containers without a shim, if their files are ours
		grep -q " .*$RUN/containerd" "/proc/$p/mountinfo" 2>/dev/null && kill -9 "$p" 2>/dev/null
	done
	for i in 1 2 3; do grep -o " $RUN/[^ ]*" /proc/mounts | sort -r | xargs -r -n1 umount -l 2>/dev/null; done
	[ ! -f "$RUN/sysctl.before" ] || sysctl -qp "$RUN/sysctl.before"
	[ ! -d /var/log/containers ] || find /var/log/containers -type l -lname "$RUN/*" -delete
	for i in 1 2 3; do find /sys/fs/cgroup -depth -type d -path '*/kubepods*' -exec rmdir {} \; 2>/dev/null; done
	[ ! -f "$RUN/mine" ] || xargs rm -rf <"$RUN/mine"
}
left() { # what is still there of a cluster
	{
		ls -d /run/netns/$NS $STATE 2>/dev/null
		grep -o " $RUN/[^ ]*" /proc/mounts
		[ -n "${NONODE:-}" ] || find /sys/fs/cgroup -type d -path '*/kubepods*' 2>/dev/null
		[ ! -e "$RUN" ] || echo "$RUN"
	} | sed 's/^/left behind: /'
}
