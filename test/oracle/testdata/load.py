"""Loads IR files with KFP's Python SDK, and prints what PyYAML, a reader of YAML 1.1, makes of each."""
import json
import sys
import warnings

warnings.simplefilter('ignore')

import yaml  # noqa: E402
from kfp import components  # noqa: E402

for name in sys.argv[1:]:
    text = open(name, encoding='utf-8').read()
    components.load_component_from_text(text)
    print(json.dumps(list(yaml.safe_load_all(text))))
