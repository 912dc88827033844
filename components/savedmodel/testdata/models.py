import os

from kfp.dsl import Input, Model, Output


def models(kind: str, model: Output[Model]):
    import tensorflow as tf

    path = model.path
    numbers = tf.keras.Input((4,), name="numbers")
    net = tf.keras.Model(numbers, tf.keras.layers.Dense(1, kernel_initializer="ones", name="sum")(numbers))
    if kind in ("keras-file", "h5-file"):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        end = "." + kind[:-5]
        net.save(path + end)
        os.rename(path + end, path)
        return
    if kind == "text":
        with open(path, "w") as f:
            f.write("no model")
        return
    os.makedirs(path, exist_ok=True)
    inside = lambda name: os.path.join(path, name)
    if kind == "keras":
        net.save(inside("net.keras"))
    elif kind == "saved-model":
        net.export(path)
    elif kind == "version":
        net.export(inside("7"))
    elif kind == "weights":
        net.save_weights(inside("net.weights.h5"))
        with open(inside("net.json"), "w") as f:
            f.write(net.to_json())
    elif kind == "checkpoint-2":
        tf.train.Checkpoint(model=net).save(inside("ckpt"))
    elif kind == "checkpoint-1":
        v1 = tf.compat.v1
        with tf.Graph().as_default(), v1.Session() as session:
            x = v1.placeholder(tf.float32, [None, 4], "numbers")
            w = v1.get_variable("w", [4, 1], initializer=v1.ones_initializer(), use_resource=True)
            tf.matmul(x, w, name="sum")
            session.run(v1.global_variables_initializer())
            v1.train.Saver().save(session, inside("model.ckpt"), global_step=5)


def ask(model: Input[Model], version: int) -> float:
    import tensorflow as tf

    call = tf.saved_model.load(os.path.join(model.path, str(version))).signatures["serving_default"]
    (name,) = call.structured_input_signature[1]
    (answer,) = call(**{name: tf.constant([[1.0, 2.0, 3.0, 4.0]])}).values()
    return float(answer[0][0])
