from kfp import dsl


@dsl.notebook_component(notebook_path='squares.ipynb', base_image='python:3.12')
def squares(table: dsl.Output[dsl.Dataset], rows: int):
    dsl.run_notebook(rows=rows, table=table.path)


@dsl.notebook_component(notebook_path='count.ipynb', base_image='python:3.12', packages_to_install=['nbclient', 'ipykernel'],
                        pip_index_urls=['https://packages.example.com/simple'], pip_trusted_hosts=[])
def count(rows: int) -> int:
    dsl.run_notebook(rows=rows, table='/tmp/t')
    with open('/tmp/t') as f:
        return len(f.readlines())


@dsl.pipeline(name='notebook')
def pipeline(rows: int = 4):
    a = squares(rows=rows)
    b = count(rows=rows).after(a)
    squares(rows=b.output)
