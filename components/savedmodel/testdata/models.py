import os

from kfp.dsl import Model, Output


def models(model: Output[Model]):
    import tensorflow as tf

    def inside(*names):
        path = os.path.join(model.path, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    numbers = tf.keras.Input((4,), name="numbers")
    net = tf.keras.Model(numbers, tf.keras.layers.Dense(1, kernel_initializer="ones", name="sum")(numbers))
    net.save(inside("keras", "net.keras"))
    for end in ("keras", "h5"):
        net.save(inside("file." + end))
        os.rename(inside("file." + end), inside(end + "-file"))
    net.export(inside("saved-model"))
    net.export(inside("version", "7"))
    net.save_weights(inside("weights", "net.weights.h5"))
    with open(inside("weights", "net.json"), "w") as f:
        f.write(net.to_json())
    tf.train.Checkpoint(model=net).save(inside("checkpoint-2", "ckpt"))
    with open(inside("text"), "w") as f:
        f.write("no model")
    os.makedirs(inside("empty"))

    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 4], "numbers")
        w = v1.get_variable("w", [4, 1], initializer=v1.ones_initializer(), use_resource=True)
        tf.matmul(x, w, name="sum")
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, inside("checkpoint-1", "model.ckpt"), global_step=5)


def ask(models: list) -> list:
    import tensorflow as tf

    sums = []
    for path in models:
        call = tf.saved_model.load(os.path.join(path, "3")).signatures["serving_default"]
        (name,) = call.structured_input_signature[1]
        (answer,) = call(**{name: tf.constant([[1.0, 2.0, 3.0, 4.0]])}).values()
        sums.append(float(answer[0][0]))
    return sums
