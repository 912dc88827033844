import glob
import json
import os
import shutil
import tempfile
from typing import NamedTuple

from kfp.dsl import Input, Model, Output


def export_saved_model(
    model: Input[Model],
    saved_model: Output[Model],
    version: int,
    signature: str,
    input_shape: list,
    input_type: str,
    inputs: dict,
    outputs: dict,
) -> NamedTuple("Outputs", [("inputs", str), ("outputs", str)]):
    import tensorflow as tf

    if version < 1:
        raise SystemExit("version is %d: servers look for the folders 1, 2 and so on" % version)
    target = os.path.join(saved_model.path, str(version))
    try:
        export(tf, model.path, target, signature, inputs, outputs)
        takes, gives = check(tf, target, signature, input_shape, input_type)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    saved_model.metadata["inputs"], saved_model.metadata["outputs"] = takes, gives
    return (takes, gives)


def export(tf, path, target, signature, inputs, outputs):
    """Writes the model at a path, whatever it is, as a SavedModel."""
    found = sorted(os.listdir(path)) if os.path.isdir(path) else []

    def named(*ends):
        return [os.path.join(path, f) for f in found if f.endswith(ends)]

    versions = sorted((f for f in found if f.isdigit() and os.path.exists(os.path.join(path, f, "saved_model.pb"))), key=int)
    weights = named(".weights.h5")
    whole = [f for f in named(".keras", ".h5") if f not in weights]
    if "saved_model.pb" in found or versions:
        loaded = tf.saved_model.load(os.path.join(path, versions[-1]) if versions else path)
        tf.saved_model.save(loaded, target, signatures=loaded.signatures)
    elif whole or os.path.isfile(path):
        if len(whole) > 1:
            raise SystemExit("%s has %s; which one is the model?" % (path, ", ".join(map(os.path.basename, whole))))
        keras(tf, whole[0] if whole else path).export(target)
    elif weights and named(".json"):
        with open(named(".json")[0], encoding="utf-8") as f:
            built = tf.keras.models.model_from_json(f.read())
        built.load_weights(weights[0])
        built.export(target)
    elif named(".meta"):
        graph(tf, named(".meta")[-1][:-5], target, signature, inputs, outputs)
    elif weights or named(".index"):
        raise SystemExit("%s has weights and no model: put its to_json beside them as model.json, or save it as .keras" % (weights or named(".index"))[0])
    else:
        raise SystemExit("%s is neither a Keras model, a SavedModel nor a checkpoint; it has %s" % (path, ", ".join(found) or "nothing"))


def keras(tf, path):
    """Loads a file, whose name may have no ending: an artifact's has none."""
    if path.endswith((".keras", ".h5")):
        return tf.keras.models.load_model(path)
    with open(path, "rb") as f:
        start = f.read(8)
    end = {b"PK": ".keras", b"\x89H": ".h5"}.get(start[:2])
    if not end:
        raise SystemExit("%s: neither a .keras nor a .h5 file" % path)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(path), os.path.join(folder, "model" + end))
        return tf.keras.models.load_model(os.path.join(folder, "model" + end))


def graph(tf, prefix, target, signature, inputs, outputs):
    """Writes a checkpoint of TensorFlow 1 and its graph."""
    v1 = tf.compat.v1
    with tf.Graph().as_default() as g, v1.Session() as session:
        saver = v1.train.import_meta_graph(prefix + ".meta", clear_devices=True)
        if not inputs or not outputs:
            holders = [op.outputs[0].name for op in g.get_operations() if op.type == "Placeholder"]
            raise SystemExit("%s: Inputs and Outputs must name tensors of the graph; its placeholders are %s" % (os.path.basename(prefix), ", ".join(holders) or "none"))

        def tensors(names):
            all = {}
            for name, tensor in names.items():
                try:
                    all[name] = g.get_tensor_by_name(tensor)
                except (KeyError, ValueError) as e:
                    raise SystemExit("%s: the graph has no tensor %s (%s)" % (os.path.basename(prefix), tensor, e))
            return all

        takes, gives = tensors(inputs), tensors(outputs)
        saver.restore(session, prefix)
        builder = v1.saved_model.Builder(target)
        builder.add_meta_graph_and_variables(
            session, [tf.saved_model.SERVING], {signature: v1.saved_model.predict_signature_def(takes, gives)})
        builder.save()


def check(tf, target, signature, shape, dtype):
    """Loads what was written, and returns the inputs and outputs of its signature."""
    got = tf.saved_model.load(target).signatures
    if signature not in got:
        raise SystemExit("the SavedModel has no signature %s; it has %s" % (signature, ", ".join(sorted(got)) or "none"))
    call = got[signature]

    def described(tensors):
        return {k: {"shape": t.shape.as_list() if t.shape.rank is not None else None, "dtype": t.dtype.name} for k, t in tensors.items()}

    takes = described(call.structured_input_signature[1])
    if shape or dtype:
        fits = [i for i in takes.values() if (not shape or (i["shape"] or [])[1:] == shape) and (not dtype or i["dtype"] == dtype)]
        if not fits:
            have = "; ".join("%s: %s %s" % (k, i["dtype"], (i["shape"] or [None])[1:]) for k, i in sorted(takes.items()))
            raise SystemExit("the signature %s takes %s, and %s %s is wanted" % (signature, have, dtype or "any type,", shape or "of any shape"))
    return json.dumps(takes, sort_keys=True), json.dumps(described(call.structured_outputs), sort_keys=True)
