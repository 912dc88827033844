package portforward

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/client/internal/kubeapi"
)

type pod struct {
	namespace, name, uid string
	port                 int
}

func (p pod) path() string {
	return kubeapi.Path(p.namespace, "pods", p.name)
}

type servicePort struct {
	Name       string
	Port       int
	TargetPort json.RawMessage
}

type podObject struct {
	Metadata struct{ Name, UID, DeletionTimestamp string }
	Spec     struct {
		Containers []struct {
			Ports []struct {
				Name          string
				ContainerPort int
			}
		}
	}
	Status struct {
		Phase      string
		Conditions []struct{ Type, Status string }
	}
}

func (p *podObject) ready() bool {
	return p.Metadata.DeletionTimestamp == "" && slices.ContainsFunc(p.Status.Conditions, func(c struct{ Type, Status string }) bool { return c.Type == "Ready" && c.Status == "True" })
}

// serves reports whether a pod is still the one that was found. Where the cluster
// doesn't say, it is taken to be.
func serves(ctx context.Context, a *kubeapi.Client, p pod) bool {
	var o podObject
	if err := a.Get(ctx, p.path(), &o); err != nil {
		var s *kubeapi.Status
		return !errors.As(err, &s) || s.Code != http.StatusNotFound
	}
	return o.Metadata.UID == p.uid && o.ready()
}

// find returns a pod behind a service that is ready, and its port.
func find(ctx context.Context, a *kubeapi.Client, t target) (pod, error) {
	var service struct {
		Spec struct {
			Selector map[string]string
			Ports    []servicePort
		}
	}
	if err := a.Get(ctx, kubeapi.Path(t.namespace, "services", t.service), &service); err != nil {
		return pod{}, lacking(err, "get services", t)
	}
	i := slices.IndexFunc(service.Spec.Ports, func(p servicePort) bool { return p.Name == t.port || strconv.Itoa(p.Port) == t.port })
	if i < 0 {
		return pod{}, fmt.Errorf("the service has no port %s; it has %s", t.port, portNames(service.Spec.Ports))
	}
	if len(service.Spec.Selector) == 0 {
		return pod{}, errors.New("the service selects no pods, so nothing can be forwarded to; give its address, or use via: service-proxy")
	}
	var pairs []string
	for k, v := range service.Spec.Selector {
		pairs = append(pairs, k+"="+v)
	}
	slices.Sort(pairs)
	var list struct{ Items []podObject }
	if err := a.Get(ctx, kubeapi.Path(t.namespace, "pods", "")+"?labelSelector="+url.QueryEscape(strings.Join(pairs, ",")), &list); err != nil {
		return pod{}, lacking(err, "list pods", t)
	}
	slices.SortFunc(list.Items, func(x, y podObject) int { return strings.Compare(x.Metadata.Name, y.Metadata.Name) })
	why := "there is none"
	for _, o := range list.Items {
		if !o.ready() {
			why = fmt.Sprintf("%s is %s and not ready", o.Metadata.Name, o.Status.Phase)
			continue
		}
		port, err := targetPort(&o, service.Spec.Ports[i])
		if err != nil {
			return pod{}, err
		}
		return pod{t.namespace, o.Metadata.Name, o.Metadata.UID, port}, nil
	}
	return pod{}, fmt.Errorf("no pod of the service (%s) is ready: %s", strings.Join(pairs, ","), why)
}

// targetPort returns the port of a pod that a service's port leads to.
func targetPort(o *podObject, p servicePort) (int, error) {
	var name string
	if json.Unmarshal(p.TargetPort, &name) == nil {
		for _, c := range o.Spec.Containers {
			for _, port := range c.Ports {
				if port.Name == name {
					return port.ContainerPort, nil
				}
			}
		}
		if n, err := strconv.Atoi(name); err == nil {
			return n, nil
		}
		return 0, fmt.Errorf("pod %s has no port %s, to which the service leads", o.Metadata.Name, name)
	}
	var n int
	if json.Unmarshal(p.TargetPort, &n) == nil && n > 0 {
		return n, nil
	}
	return p.Port, nil
}

func portNames(ports []servicePort) string {
	var names []string
	for _, p := range ports {
		names = append(names, strings.TrimSpace(fmt.Sprintf("%d %s", p.Port, p.Name)))
	}
	return strings.Join(names, ", ")
}

// lacking says which permission is missing, if one is.
func lacking(err error, what string, t target) error {
	var s *kubeapi.Status
	if errors.As(err, &s) {
		switch s.Code {
		case http.StatusForbidden, http.StatusUnauthorized:
			return fmt.Errorf("%w; ask for the permissions to get services, to list and get pods and to create pods/portforward in namespace %s (it was: %s)", err, t.namespace, what)
		case http.StatusNotFound:
			return fmt.Errorf("%w; is namespace %s the right one?", err, t.namespace)
		}
	}
	return err
}

// Outside reports whether an address is of a service of the cluster, which only
// its pods reach, and whether this program runs outside of the cluster.
func Outside(address string) bool {
	if u, err := url.Parse(address); err == nil && strings.Contains(address, "://") {
		address = u.Host
	}
	if !strings.Contains(address, ":") {
		address += ":80"
	}
	_, _, _, ok := Service(address, "default")
	return ok && os.Getenv("KUBERNETES_SERVICE_HOST") == ""
}
