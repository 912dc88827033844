import gzip
import json
import os

from kfp.dsl import Dataset, Input, Metrics, Model, Output


def train(
    train_images: Input[Dataset],
    train_labels: Input[Dataset],
    test_images: Input[Dataset],
    test_labels: Input[Dataset],
    epochs: int,
    asked: int,
    model: Output[Model],
    images: Output[Dataset],
    labels: Output[Dataset],
    metrics: Output[Metrics],
):
    import joblib
    import sklearn
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MaxAbsScaler

    x, y = read(train_images.path, 16).reshape(-1, 784).astype("float64"), read(train_labels.path, 8)
    net = MLPClassifier((64,), batch_size=100, max_iter=epochs, n_iter_no_change=epochs, random_state=1, verbose=True)
    classifier = make_pipeline(MaxAbsScaler(), net)
    classifier.fit(x, y)

    test, right = read(test_images.path, 16).reshape(-1, 784).astype("float64"), read(test_labels.path, 8)
    metrics.log_metric("accuracy", float(classifier.score(test, right)))
    os.makedirs(model.path, exist_ok=True)
    joblib.dump(classifier, os.path.join(model.path, "model.joblib"))
    model.metadata["framework"] = "scikit-learn " + sklearn.__version__
    with open(images.path, "w") as i, open(labels.path, "w") as l:
        for image, label in zip(test[:asked].astype(int).tolist(), right[:asked].tolist()):
            i.write(json.dumps(image) + "\n")
            l.write("%d\n" % label)


def read(path, header):
    """Returns what follows the header of a packed IDX file, as numbers."""
    import numpy as np

    with gzip.open(path) as f:
        return np.frombuffer(f.read(), np.uint8, offset=header)
