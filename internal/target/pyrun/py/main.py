

def pip(python, options):
    """Returns what pip said if it failed."""
    import subprocess
    ran = subprocess.run([python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-warn-script-location'] + options,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return ran.returncode and (ran.stdout.decode('utf-8', 'replace').strip() or 'exit status %d' % ran.returncode)


def install(packages, urls, hosts, venv):
    import importlib.util
    import site
    import subprocess
    options = []
    for url in urls:
        options += ['--extra-index-url' if options else '--index-url', url]
    for host in hosts:
        options += ['--trusted-host', host]
    named = ' '.join(packages)
    if any(' --' in p for p in packages):  # such as --hash, in a file only
        listed = os.path.join(temporary('requirements'), 'requirements.txt')
        save(listed, '\n'.join(packages))
        packages = ['-r', listed]
    said = 'externally-managed'
    if not venv:
        if importlib.util.find_spec('pip') is None:
            subprocess.run([sys.executable, '-m', 'ensurepip'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        said = pip(sys.executable, options + packages)
    if said and any(s in said for s in ('externally-managed', 'Permission denied', 'Read-only file system', 'No module named pip')):
        # Beside what the image has.
        folder = temporary('venv')
        made = subprocess.run([sys.executable, '-m', 'venv', '--system-site-packages', folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if made.returncode:
            raise Problem('a virtual environment: %s' % made.stdout.decode('utf-8', 'replace').strip())
        python = os.path.join(folder, 'bin', 'python3')
        said = pip(python, options + packages)
        os.environ['VIRTUAL_ENV'] = folder
        os.environ['PATH'] = os.path.join(folder, 'bin') + os.pathsep + os.environ.get('PATH', '')
        before = list(sys.path)
        site.addsitedir(os.path.join(folder, 'lib', 'python%d.%d' % sys.version_info[:2], 'site-packages'))
        sys.path[:] = [p for p in sys.path if p not in before] + before
        sys.executable = python
    elif not said:
        site.addsitedir(site.getusersitepackages())
    if said:
        raise Problem('pip install %s: %s' % (named, said))
    importlib.invalidate_caches()


def unpack(archive):
    """Unpacks the files that go along with the step, to import and to read."""
    import base64
    import io
    import tarfile
    to = temporary('files')
    with tarfile.open(fileobj=io.BytesIO(base64.b64decode(archive)), mode='r:gz') as tar:
        for member in tar:
            tar.extract(member, to)
    sys.path.insert(0, to)
    return to


def load(source, function, dsl, files):
    """Runs the module. What KFP's SDK imports in front of a function is there."""
    file = '<%s.py>' % function
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    step = types.ModuleType('ephemeral_component')
    sys.modules['ephemeral_component'] = step
    for names in (typing, dsl):
        for name in names.__all__:
            if hasattr(names, name):
                setattr(step, name, getattr(names, name))
    step.kfp, step.dsl = sys.modules['kfp'], dsl
    if files:
        setattr(step, '__KFP_EMBEDDED_ASSET_DIR', files)
    exec(compile(source, file, 'exec', 0, True), step.__dict__)
    found = getattr(step, function, None)
    if not callable(found):
        raise Problem('the source has no function %s' % function)
    return getattr(found, 'python_func', found)


def describe(e, function):
    """An exception in one message, with the line of the user's source."""
    if isinstance(e, Problem):
        return str(e)
    where, file, tb = '', '<%s.py>' % function, e.__traceback__
    if isinstance(e, SyntaxError) and e.filename == file:
        where = ' at line %s' % e.lineno
    while tb:
        if tb.tb_frame.f_code.co_filename == file:
            where = ' at line %d' % tb.tb_lineno
            text = linecache.getline(file, tb.tb_lineno).strip()
            if text:
                where += ' (%s)' % text
        tb = tb.tb_next
    return '%s: %s%s' % (type(e).__name__, e, where)


def trace(e, function):
    """Writes where an exception comes from to the step's log, from the user's source on."""
    import traceback
    file, tb = '<%s.py>' % function, e.__traceback__
    while tb and tb.tb_frame.f_code.co_filename != file:
        tb = tb.tb_next
    if not isinstance(e, Problem):
        sys.stderr.write(''.join(traceback.format_exception(type(e), e, tb or e.__traceback__)))


def last_words(file, message):
    """Writes to the file whose text Kubernetes keeps as the message of a
    container that has ended. Elsewhere there is none, and none is made."""
    try:
        with open(file, 'r+b') as f:
            f.truncate()
            f.write(message.encode('utf-8', 'replace')[:2048].decode('utf-8', 'ignore').encode('utf-8'))
    except OSError:
        pass


def call(function, kwargs):
    returned = function(**kwargs)
    if inspect.iscoroutine(returned):
        import asyncio
        returned = asyncio.new_event_loop().run_until_complete(returned)
    return returned


def compose(values):
    """Puts values into texts where KFP's launcher has left placeholders of the compiler's, as dsl/composed.go does."""
    import decimal
    import re

    def number(value, exact):
        if exact or value == 0 or 1e-6 <= abs(value) < 1e21:
            return format(decimal.Decimal(repr(value)).normalize(), 'f')
        return re.sub(r'e([+-])0+', r'e\1', repr(value))

    def found(m):
        ours = m.group(2)  # in double quotes, which the launcher doesn't look for
        value = values.get(m.group(1) or ours)
        if value is None:
            return '' if ours else m.group(0)
        if isinstance(value, float):
            return number(value, not ours)
        return value if isinstance(value, str) else dumps(value)

    def integers(value):
        """Whole numbers, which KFP holds as doubles, as on other targets."""
        if isinstance(value, float) and value.is_integer() and abs(value) < 2 ** 63:
            return int(value)
        if isinstance(value, list):
            return [integers(v) for v in value]
        if isinstance(value, dict):
            return {k: integers(v) for k, v in value.items()}
        return value

    def composed(value):
        if isinstance(value, str):
            bare = re.fullmatch(r"""\{\{\$\.inputs\.parameters\["(pipelinechannel--[^"]*)"\]\.json\}\}""", value)
            if bare:  # what is no text in a list or struct
                return integers(values.get(bare.group(1)))
            return re.sub(r"""\{\{\$\.inputs\.parameters\[(?:'(pipelinechannel--.*?)'|"(pipelinechannel--.*?)")\]\}\}""", found, value, flags=re.S)
        if isinstance(value, list):
            return [composed(v) for v in value]
        if isinstance(value, dict):
            return {k: composed(v) for k, v in value.items()}
        return value

    for name in values:
        if not name.startswith('pipelinechannel--'):
            values[name] = composed(values[name])


def run(options, name, function):
    if sys.version_info < (3, 6):
        raise Problem('the image has Python %s; steps need 3.6 or later' % sys.version.split()[0])
    if hasattr(sys.stdout, 'reconfigure'):
        sys.stdout.reconfigure(line_buffering=True)
    text = options['--input']
    if text.startswith('@'):
        with open(text[1:], encoding='utf-8') as f:
            text = f.read()
    spec = json.loads(text)
    source = options.get('--source')
    if source is None:
        import base64
        source = base64.b64decode(options['--source64']).decode('utf-8')
    packages, urls, hosts = (json.loads(options.get(o, '[]')) for o in ('--packages', '--index-urls', '--trusted-hosts'))
    if packages:
        install(packages, urls, hosts, '--venv' in options)
    values = (spec.get('inputs') or {}).get('parameterValues') or {}
    if not spec.get('kfpgo'):
        compose(values)
    for key, value in values.items():
        if key.startswith('kfpgo-env--') and value is not None:
            os.environ[key[len('kfpgo-env--'):]] = value if isinstance(value, str) else dumps(value)
    dsl = stand_in()
    files = unpack(options['--files']) if '--files' in options else ''
    if '--notebook' in options:
        exec(compile(options['--notebook-runner'], '<notebook>', 'exec', 0, True), globals())
        notebook = os.path.join(files, options['--notebook'])
        dsl.run_notebook = lambda **kwargs: run_cells(notebook, kwargs)
        dsl.__dict__['run_notebook'].__name__ = 'run_notebook'
    step = Step(name, load(source, function, dsl, files), json.loads(options['--outputs']), json.loads(options.get('--optional', '[]')), spec)
    step.write(step.results(call(step.function, step.arguments())))


def main(argv):
    if argv[0] == '--options':  # in a file
        with open(argv[1], encoding='utf-8') as f:
            argv = json.load(f)
    options = dict(zip(argv[0::2], argv[1::2]))
    name, function = options['--name'], options['--function']
    status, message = 1, ''
    try:
        run(options, name, function)
        return 0
    except SystemExit as e:
        status = e.code if isinstance(e.code, int) else 1
        message = 'sys.exit(%r) before the outputs were written' % (e.code,)
        status = status or 1
    except Exception as e:
        sys.stdout.flush()
        trace(e, function)
        message = describe(e, function)
    finally:
        for path in TEMPORARY:
            import shutil
            shutil.rmtree(path, ignore_errors=True)
    sys.stdout.flush()
    message = '%s: %s' % (name, message)
    sys.stderr.write(message + '\n')
    last_words(options.get('--last-words', '/dev/termination-log'), message)
    return status


if __name__ == '__main__':
    status = main(sys.argv[1:])
    sys.stdout.flush()
    sys.exit(status)
