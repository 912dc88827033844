"""Serves model.joblib with the real Python packages of Seldon and KServe.

It ends by itself when the file that says that it runs is gone, and when the
process that it was started for is.
"""
import os
import signal
import sys
import threading
import time

KIND, NAME, FOLDER, RUNNING, PARENT, PORT, GRPC, METRICS = (sys.argv + [""] * 9)[1:9]


class Digits:
    """A model as seldon-core-microservice wants it."""

    def __init__(self):
        self.model = load(os.environ["DIGITS_MODEL"])

    def predict(self, X, names, meta=None):
        return self.model.predict_proba(X)


def load(folder):
    import joblib

    return joblib.load(os.path.join(folder, "model.joblib"))


def watch():
    while os.path.exists(RUNNING):
        time.sleep(0.5)
        try:
            os.kill(int(PARENT), 0)
        except OSError:
            break
    os.killpg(0, signal.SIGKILL)


def seldon():
    from seldon_core import microservice

    os.environ["DIGITS_MODEL"] = FOLDER
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.argv = ["seldon-core-microservice", "serve.Digits", "--service-type", "MODEL", "--http-port", PORT, "--grpc-port", GRPC, "--metrics-port", METRICS, "--workers", "1"]
    microservice.main()


def kserve():
    from kserve import Model, ModelServer
    from kserve.utils.utils import get_predict_input, get_predict_response

    class Served(Model):
        def __init__(self):
            super().__init__(NAME)
            self.model = load(FOLDER)
            self.ready = True

        def predict(self, payload, headers=None):
            return get_predict_response(payload, self.model.predict(get_predict_input(payload)), NAME)

    ModelServer(http_port=int(PORT), enable_grpc=False).start([Served()])


if __name__ == "__main__":
    threading.Thread(target=watch, daemon=True).start()
    {"seldon": seldon, "kserve": kserve}[KIND]()
