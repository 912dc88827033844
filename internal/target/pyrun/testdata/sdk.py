# Prints the commands of one version of the KFP SDK for testdata/sdk.json, which holds those of 2.0.1, 2.4.0, 2.9.0, 2.11.0 and 2.17.3.
import sys,json,warnings
warnings.simplefilter('ignore')
import kfp
from kfp import dsl
def helper(x: int) -> int:
    return x + 1
def plain(a: int, name: str = "it's") -> str:
    return name * a
C=getattr(__import__('kfp.dsl',fromlist=['x']),'component')
cases=[('plain',{}),('packages',dict(packages_to_install=['numpy==1.26.4','pandas>=2,<3; python_version<"3.12"',"it's\\n\t\u00e9"])),
('none',dict(install_kfp_package=False)),('none-packages',dict(install_kfp_package=False,packages_to_install=['numpy'])),
('own-kfp',dict(packages_to_install=['kfp==2.10.0','numpy'])),
('package-path',dict(kfp_package_path='git+https://github.com/kubeflow/pipelines@master#egg=kfp&subdirectory=sdk/python',packages_to_install=['numpy'])),
('package-pull',dict(kfp_package_path='git+https://github.com/kubeflow/pipelines@refs/pull/1/merge#egg=kfp')),
('index',dict(packages_to_install=['numpy'],pip_index_urls=['https://a/simple','https://b/simple'])),
('index-one',dict(pip_index_urls=['https://a/simple'])),
('hosts',dict(packages_to_install=['numpy'],pip_index_urls=['https://a/simple','https://b/simple'],pip_trusted_hosts=['c'])),
('no-hosts',dict(packages_to_install=['numpy'],pip_index_urls=['https://a/simple','https://b/simple'],pip_trusted_hosts=[])),
('venv',dict(use_venv=True)),('venv-packages',dict(use_venv=True,packages_to_install=['numpy'],pip_index_urls=['https://a/simple'])),
('venv-none',dict(use_venv=True,packages_to_install=['numpy'],install_kfp_package=False)),
('additional',dict(additional_funcs=[helper])),
]
out=[]
for name,kw in cases:
    try: c=C(base_image='python:3.12',**kw)(plain)
    except TypeError as e: continue
    i=c.component_spec.implementation.container
    out.append(dict(version=kfp.__version__,case=name,command=[x if isinstance(x,str) else '{{$}}' for x in i.command],args=[x if isinstance(x,str) else '{{$}}' for x in i.args]))
json.dump(out,sys.stdout)
