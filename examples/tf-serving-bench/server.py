"""Serves a SavedModel with KServe's model server, which speaks the REST protocol of TensorFlow Serving.

It stands in for TensorFlow Serving on a machine without Kubernetes. Its settings are variables of the
environment: MODEL_FOLDER, MODEL_NAME, PORT, CPUS, and BATCHING with MAX_BATCH and WAIT_MS.
"""
import asyncio
import base64
import concurrent.futures
import logging
import os

CPUS = int(os.environ['CPUS'])
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CPUS])  # before TensorFlow starts its threads

import kserve  # noqa: E402
import tensorflow as tf  # noqa: E402

tf.config.threading.set_intra_op_parallelism_threads(CPUS)
tf.config.threading.set_inter_op_parallelism_threads(CPUS)


class Server(kserve.Model):
    def __init__(self):
        super().__init__(os.environ['MODEL_NAME'])
        self.batching = os.environ.get('BATCHING') == 'true'
        self.max, self.wait = int(os.environ.get('MAX_BATCH', '32')), int(os.environ.get('WAIT_MS', '5')) / 1000
        self.pool = concurrent.futures.ThreadPoolExecutor(CPUS)
        self.queue = self.worker = None

    def load(self):
        folder = os.environ['MODEL_FOLDER']
        newest = max((v for v in os.listdir(folder) if v.isdigit()), key=int)
        self.loaded = tf.saved_model.load(os.path.join(folder, newest))
        self.call = self.loaded.signatures['serving_default']
        self.ready = True
        return True

    def scores(self, images):
        try:
            return self.call(image_bytes=tf.constant(images))['scores'].numpy().tolist()
        except tf.errors.InvalidArgumentError as e:
            raise kserve.errors.InvalidInput(e.message[:500])

    async def predict(self, payload, headers=None, response_headers=None):
        try:
            images = [base64.b64decode(i['b64'], validate=True) for i in payload['instances']]
        except (KeyError, TypeError, ValueError) as e:
            raise kserve.errors.InvalidInput('an instance is not {"b64": "..."}: %r' % e)
        if not self.batching:
            return {'predictions': await asyncio.get_running_loop().run_in_executor(self.pool, self.scores, images)}
        if self.worker is None:
            self.queue = asyncio.Queue()
            self.worker = asyncio.create_task(self.batches())
        waiting = []
        for image in images:
            waiting.append(asyncio.get_running_loop().create_future())
            await self.queue.put((image, waiting[-1]))
        return {'predictions': list(await asyncio.gather(*waiting))}

    async def batches(self):
        """Puts requests together, as TensorFlow Serving does with batching on."""
        loop = asyncio.get_running_loop()
        while True:
            batch, until = [await self.queue.get()], loop.time() + self.wait
            while len(batch) < self.max and until > loop.time():
                try:
                    batch.append(await asyncio.wait_for(self.queue.get(), until - loop.time()))
                except asyncio.TimeoutError:
                    break
            try:
                scores = await loop.run_in_executor(self.pool, self.scores, [image for image, _ in batch])
                for (_, future), s in zip(batch, scores):
                    future.cancelled() or future.set_result(s)
            except Exception as e:  # every request of the batch has the same answer
                for _, future in batch:
                    future.cancelled() or future.set_exception(e)


if __name__ == '__main__':
    server = Server()
    server.load()
    for name in ('uvicorn.access', 'kserve.trace'):  # lines for each request
        logging.getLogger(name).addFilter(lambda record: False)
    kserve.ModelServer(http_port=int(os.environ['PORT']), enable_grpc=False).start([server])
