from kfp import dsl


@dsl.component(base_image='python:3.12')
def plain(a: float, b: float = 4.0) -> float:
    return a + b


@dsl.component(base_image='python:3.12', packages_to_install=['numpy==2.2.0', 'pandas>=2,<3; python_version<"3.13"'])
def packages(n: int) -> int:
    return n


@dsl.component(base_image='python:3.12', packages_to_install=['numpy==2.2.0'],
               pip_index_urls=['https://packages.example.com/simple', 'https://more.example.com/simple'],
               pip_trusted_hosts=['packages.example.com'])
def index(n: int) -> int:
    return n


@dsl.component(base_image='python:3.12', packages_to_install=['numpy==2.2.0'], pip_index_urls=['https://packages.example.com/simple'],
               pip_trusted_hosts=[])
def no_host(n: int) -> int:
    return n


@dsl.component(base_image='python:3.12', use_venv=True)
def venv(n: int) -> int:
    return n


@dsl.component(base_image='python:3.12', install_kfp_package=False)
def no_kfp(n: int) -> int:
    return n


@dsl.component(base_image='python:3.12', install_kfp_package=False, packages_to_install=['kfp==2.9.0', 'numpy'])
def own_kfp(n: int) -> int:
    return n


@dsl.component(base_image='python:3.12', kfp_package_path='git+https://git.example.com/kfp@master')
def kfp_from(n: int) -> int:
    return n


@dsl.pipeline(name='python-packages')
def pipeline(n: int = 3):
    plain(a=1.5)
    packages(n=n)
    index(n=n)
    no_host(n=n)
    venv(n=n)
    no_kfp(n=n)
    own_kfp(n=n)
    kfp_from(n=n)
