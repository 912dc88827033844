__KFP_EMBEDDED_ARCHIVE_B64 = '{embedded_archive}'

import base64 as __kfp_b64
import io as __kfp_io
import os as __kfp_os
import sys as __kfp_sys
import tarfile as __kfp_tarfile
import tempfile as __kfp_tempfile

# Extract embedded archive at import time to ensure sys.path and globals are set
__kfp_tmpdir = __kfp_tempfile.TemporaryDirectory()
__KFP_EMBEDDED_ASSET_DIR = __kfp_tmpdir.name
try:
    __kfp_bytes = __kfp_b64.b64decode(__KFP_EMBEDDED_ARCHIVE_B64.encode('ascii'))
    with __kfp_tarfile.open(fileobj=__kfp_io.BytesIO(__kfp_bytes), mode='r:gz') as __kfp_tar:
        __kfp_tar.extractall(path=__KFP_EMBEDDED_ASSET_DIR)
except Exception as __kfp_e:
    raise RuntimeError(f'Failed to extract embedded archive: {__kfp_e}')

# Always prepend the extracted directory to sys.path for import resolution
if __KFP_EMBEDDED_ASSET_DIR not in __kfp_sys.path:
    __kfp_sys.path.insert(0, __KFP_EMBEDDED_ASSET_DIR)

