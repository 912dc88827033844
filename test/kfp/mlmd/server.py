"""The gRPC service of ML Metadata, over the real store that the ml-metadata wheel has.

Requests go to the C++ store and answers come back as the bytes they are, so nothing
here knows a message. Usage: server.py HOST:PORT FILE (of SQLite).
"""

import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
from ml_metadata.metadata_store.pywrap.metadata_store_extension import metadata_store as store
from ml_metadata.proto import metadata_store_pb2, metadata_store_service_pb2

ABORTED = grpc.StatusCode.ABORTED.value[0]
TRIES = 5
SERVICE = metadata_store_service_pb2.DESCRIPTOR.services_by_name["MetadataStoreService"]
status = {code.value[0]: code for code in grpc.StatusCode}
one_at_a_time = threading.Lock()  # the store is not safe for threads


def opened(path):
    config = metadata_store_pb2.ConnectionConfig()
    config.sqlite.filename_uri = path
    config.sqlite.connection_mode = metadata_store_pb2.SqliteMetadataSourceConfig.READWRITE_OPENCREATE
    return store.CreateMetadataStore(config.SerializeToString(), metadata_store_pb2.MigrationOptions().SerializeToString())


def passed_on(db, name):
    method = getattr(store, name, None)

    def handle(request, context):
        if method is None:  # three of the service's methods, none of which KFP calls
            context.abort(grpc.StatusCode.UNIMPLEMENTED, f"the ml-metadata wheel has no {name}")
        with one_at_a_time:
            for _ in range(TRIES):
                answer, message, code = method(db, request)
                if code != ABORTED:  # which is how the database asks for another try
                    break
        if code:
            context.abort(status.get(code, grpc.StatusCode.UNKNOWN), message.decode(errors="replace"))
        return answer

    return grpc.unary_unary_rpc_method_handler(handle)


def main(address, path):
    db = opened(path)
    server = grpc.server(ThreadPoolExecutor(16), options=[("grpc.max_receive_message_length", -1), ("grpc.so_reuseport", 0)])
    methods = {m.name: passed_on(db, m.name) for m in SERVICE.methods}
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE.full_name, methods)])
    if not server.add_insecure_port(address):
        sys.exit(f"can't listen on {address}")
    server.start()
    print("serving on", address, flush=True)
    signal.signal(signal.SIGTERM, lambda *_: server.stop(1))
    server.wait_for_termination()


if __name__ == "__main__":
    main(*sys.argv[1:])
