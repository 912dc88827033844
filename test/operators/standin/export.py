"""Exports the SavedModel that the servers of the test have: y = x W, of which any
answer is known."""
import sys

import tensorflow as tf


class Linear(tf.Module):
    def __init__(self):
        self.w = tf.Variable([[1.0, -1.0], [2.0, 0.0], [0.0, 3.0], [-1.0, 0.5]])

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, name="x")])
    def __call__(self, x):
        return {"y": tf.matmul(x, self.w)}


m = Linear()
tf.saved_model.save(m, sys.argv[1] + "/1", signatures={"serving_default": m.__call__})
