"""Runs a notebook: with nbclient and ipykernel where they are, as KFP's SDK
does, else its cells as plain Python."""
import ast
import importlib.util


def run_cells(path, values):
    with open(path, encoding='utf-8') as f:
        book = json.load(f)
    inject(book, values)
    if all(importlib.util.find_spec(m) for m in ('nbclient', 'nbformat', 'ipykernel')):
        return with_jupyter(path, book)
    before = os.getcwd()
    os.chdir(os.path.dirname(path))
    try:
        plain_cells(book)
    finally:
        os.chdir(before)


def inject(book, values):
    """Puts a cell with values after the one that is tagged parameters, else on top."""
    if not values:
        return
    at = 0
    for i, cell in enumerate(book.get('cells') or []):
        if cell.get('cell_type') == 'code' and 'parameters' in ((cell.get('metadata') or {}).get('tags') or []):
            at = i + 1
            break
    lines = ['import json'] + ['%s = json.loads(%r)' % (k, dumps(v)) for k, v in values.items()]
    book.setdefault('cells', []).insert(at, dict(
        cell_type='code', metadata=dict(tags=['injected-parameters']), source='\n'.join(lines) + '\n', outputs=[], execution_count=None))


def with_jupyter(path, book):
    import nbformat
    from nbclient import NotebookClient
    if (book.get('nbformat'), book.get('nbformat_minor') or 0) >= (4, 5):
        for i, cell in enumerate(book['cells']):
            cell.setdefault('id', 'cell-%d' % i)
    from nbclient.exceptions import CellExecutionError

    class Client(NotebookClient):
        def process_message(self, msg, cell, index):
            out = super().process_message(msg, cell, index)
            if out is not None:
                text = out.get('text') or (out.get('data') or {}).get('text/plain') or ''
                print(text, end='' if text.endswith('\n') else '\n', flush=True)
            return out

    client = Client(nbformat.reads(json.dumps(book), as_version=4), timeout=None, kernel_name='python3', store_widget_state=False,
                    resources=dict(metadata=dict(path=os.path.dirname(path))))
    try:
        client.execute()
    except CellExecutionError as e:
        lines = [line for line in str(e.traceback if hasattr(e, 'traceback') else e).splitlines() if line.strip()]
        raise Problem('the notebook failed: %s: %s' % (e.ename, e.evalue) if getattr(e, 'ename', '') else lines[-1])


# Magics that only change how a notebook looks.
LOOKS = ('matplotlib', 'load_ext', 'reload_ext', 'autoreload', 'config', 'precision', 'pylab')


def plain_cells(book):
    members = dict(__name__='__main__', display=lambda *values: [print(repr(v)) for v in values])
    count = 0
    for cell in book.get('cells') or []:
        if cell.get('cell_type') != 'code':
            continue
        count += 1
        source = cell.get('source') or ''
        if isinstance(source, list):
            source = ''.join(source)
        if 'injected-parameters' in ((cell.get('metadata') or {}).get('tags') or []):
            count -= 1
        run_cell(source, '<cell %d>' % count, count, members)


def run_cell(source, file, count, members):
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    flags = getattr(ast, 'PyCF_ALLOW_TOP_LEVEL_AWAIT', 0)
    try:
        tree = parse(source, file, count)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(';'):
            last = ast.Expression(tree.body.pop().value)
        wait(eval(compile(tree, file, 'exec', flags, True), members))
        if last is not None:
            value = wait(eval(compile(last, file, 'eval', flags, True), members))
            if value is not None:
                print(repr(value))
    except Problem:
        raise
    except SystemExit:
        raise
    except Exception as e:
        where, tb = '', e.__traceback__
        if isinstance(e, SyntaxError) and e.filename == file:
            where = ', line %s' % e.lineno
        while tb:
            if tb.tb_frame.f_code.co_filename.startswith('<cell '):
                file, where = tb.tb_frame.f_code.co_filename, ', line %d' % tb.tb_lineno
                text = linecache.getline(file, tb.tb_lineno).strip()
                where += ' (%s)' % text if text else ''
            tb = tb.tb_next
        raise Problem('the notebook failed: %s: %s in %s%s' % (type(e).__name__, e, file.strip('<>'), where))


def wait(value):
    if inspect.iscoroutine(value):
        import asyncio
        return asyncio.new_event_loop().run_until_complete(value)
    return value


def parse(source, file, count):
    """Parses a cell without the magics that don't matter; others need IPython."""
    lines = source.split('\n')
    while True:
        try:
            return ast.parse('\n'.join(lines), file)
        except SyntaxError as e:
            i = min(e.lineno or 1, len(lines)) - 1
            line = lines[i]
            text = line.strip()
            if text.startswith('%') and text[1:].split(' ')[0] in LOOKS:
                lines[i] = line[:len(line) - len(line.lstrip())] + 'pass'
            elif text == '%%time' and not ''.join(lines[:i]).strip():
                lines[i] = ''
            elif text[:1] in ('%', '!', '?') or text.endswith('?'):
                hint = 'name the packages in PythonSource.Packages' if 'pip install' in text or 'pip3 install' in text else \
                    'add nbclient>=0.10,<1 and ipykernel>=6,<7 to PythonSource.Packages'
                raise Problem('cell %d of the notebook has %r, which needs IPython; %s' % (count, text[:60], hint))
            else:
                raise
