"""Trains the network of network.go in TensorFlow."""
import hashlib
import json
import os
from typing import NamedTuple

from kfp.dsl import Dataset, Input, Metrics, Model, Output

HELD = 10000  # images that the model is measured with


def train(data: Input[Dataset], epochs: int, rate: float, seed: int,
          model: Output[Model], metrics: Output[Metrics]) -> NamedTuple('Out', [('accuracy', float), ('device', str)]):
    import numpy as np
    import tensorflow as tf

    images = np.frombuffer(read(data.path, 'train-images-idx3-ubyte', 16), np.uint8)
    images = images.reshape(-1, 28 * 28).astype('float32') / 255
    labels = np.frombuffer(read(data.path, 'train-labels-idx1-ubyte', 8), np.uint8)

    tf.keras.utils.set_random_seed(seed)
    net = tf.keras.Sequential([
        tf.keras.Input((28 * 28,)),
        tf.keras.layers.Dense(128, 'relu', kernel_initializer='he_normal'),
        tf.keras.layers.Dense(10, 'softmax'),
    ])
    net.compile(tf.keras.optimizers.SGD(rate), 'sparse_categorical_crossentropy', metrics=['accuracy'])
    history = net.fit(images[:-HELD], labels[:-HELD], batch_size=50, epochs=epochs, verbose=2,
                      validation_data=(images[-HELD:], labels[-HELD:])).history

    export([(w.tolist(), b.tolist()) for w, b in (layer.get_weights() for layer in net.layers)], model.path)
    metrics.log_metric('loss', history['loss'][-1])
    metrics.log_metric('accuracy', history['val_accuracy'][-1])
    return history['val_accuracy'][-1], device(net.layers[0].kernel.value.device)


def device(name: str) -> str:
    """Says what a tensor is on: /job:localhost/replica:0/task:0/device:GPU:0 is a GPU."""
    import tensorflow as tf

    kind, number = name.split(':')[-2:]
    if kind != 'GPU':
        return kind
    gpu = tf.config.list_physical_devices('GPU')[int(number)]
    return 'GPU: ' + tf.config.experimental.get_device_details(gpu).get('device_name', 'unknown')


def read(manifest: str, name: str, header: int) -> bytes:
    """Reads a file of the data volume, without its header. It must be the one in the manifest."""
    # In a run on this machine a volume is a folder somewhere else.
    folder = json.loads(os.environ.get('KFPGO_MOUNTS', '{}')).get('/data', '/data')
    with open(os.path.join(folder, name), 'rb') as f:
        content = f.read()
    with open(manifest) as f:
        want = {file['name']: file['sha256'] for file in json.load(f)['files']}[name]
    got = hashlib.sha256(content).hexdigest()
    if got != want:
        raise ValueError(f'{name} in the data volume has changed since the download: its SHA-256 is {got}, not {want}')
    return content[header:]


def export(layers: list, path: str) -> None:
    """Writes weights as the model of model.go."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        json.dump({'format': 'mnist-mlp/1', 'layers': [{'weights': w, 'bias': b} for w, b in layers]}, f)
