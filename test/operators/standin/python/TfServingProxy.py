"""Hands Seldon's requests to TensorFlow Serving's REST API, as the image
seldonio/tfserving-proxy does for the prepackaged server TENSORFLOW_SERVER."""
import json
import urllib.request


class TfServingProxy:
    def __init__(self, rest_endpoint="http://127.0.0.1:2001", model_name="classifier", **_):
        self.url = f"{rest_endpoint}/v1/models/{model_name}:predict"

    def predict(self, X, features_names=None, **_):
        rows = X.tolist() if hasattr(X, "tolist") else X
        request = urllib.request.Request(self.url, json.dumps({"instances": rows}).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["predictions"]
