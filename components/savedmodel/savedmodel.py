import json
import os
from typing import NamedTuple

from kfp.dsl import Input, Model, Output


def export_saved_model(
    model: Input[Model],
    saved_model: Output[Model],
    version: int,
    signature: str,
    input_shape: list,
) -> NamedTuple("Outputs", [("inputs", str), ("outputs", str)]):
    import tensorflow as tf

    path = model.path
    if os.path.isdir(path):
        keras = sorted(f for f in os.listdir(path) if f.endswith((".keras", ".h5")))
        if keras:
            path = os.path.join(path, keras[0])
    target = os.path.join(saved_model.path, str(version))
    if os.path.isdir(path) and os.path.exists(os.path.join(path, "saved_model.pb")):
        loaded = tf.saved_model.load(path)
        tf.saved_model.save(loaded, target, signatures=loaded.signatures)
    elif os.path.isfile(path):
        if not path.endswith((".keras", ".h5")):
            named = path + ".keras"
            os.symlink(path, named)
            path = named
        tf.keras.models.load_model(path).export(target)
    else:
        raise SystemExit("%s: neither a .keras file nor a SavedModel" % model.path)

    got = tf.saved_model.load(target).signatures
    if signature not in got:
        raise SystemExit("the SavedModel has no signature %s; it has %s" % (signature, ", ".join(sorted(got))))
    call = got[signature]
    inputs = {k: {"shape": t.shape.as_list(), "dtype": t.dtype.name} for k, t in call.structured_input_signature[1].items()}
    outputs = {k: {"shape": t.shape.as_list(), "dtype": t.dtype.name} for k, t in call.structured_outputs.items()}
    if input_shape:
        shapes = [i["shape"][1:] for i in inputs.values()]
        if input_shape not in shapes:
            raise SystemExit("the signature %s takes %s, and %s is wanted" % (signature, shapes, input_shape))
    saved_model.metadata["inputs"] = json.dumps(inputs, sort_keys=True)
    saved_model.metadata["outputs"] = json.dumps(outputs, sort_keys=True)
    return (json.dumps(inputs, sort_keys=True), json.dumps(outputs, sort_keys=True))
