"""Runs one Python function as a step of a pipeline.

This is kfpgo's runtime, standard library only, for Python 3.6 and later. Older
ones must still be able to read it, to say that they are too old.
"""
import inspect
import json
import linecache
import os
import sys
import types
import typing

MOUNTS = (('gs://', '/gcs/'), ('s3://', '/s3/'), ('minio://', '/minio/'), ('file://', ''))
WORKSPACE = '/kfp-workspace'
TASK_ROOT = []


class Problem(Exception):
    """An error of the step, with a message for the user."""


# What functions written for KFP import from kfp.dsl.

class Artifact(object):
    schema_title = 'system.Artifact'
    schema_version = '0.0.1'

    def __init__(self, name=None, uri=None, metadata=None):
        self.name, self.uri, self.metadata, self.custom_path = name or '', uri or '', metadata or {}, ''

    def _get_path(self):
        path = self.custom_path or self.uri
        if path.startswith('oci://'):
            path = '/oci/' + path[len('oci://'):].replace('/', '_')
        for scheme, mount in MOUNTS:
            if path.startswith(scheme):
                path = mount + path[len(scheme):]
        if self.metadata.get('_kfp_workspace') is True and not self.custom_path:
            path = os.path.join(WORKSPACE, '.artifacts', path.lstrip('/'))
        return path

    def _set_path(self, path):
        self.uri = remote(path)

    @property
    def path(self):
        return self._get_path()

    @path.setter
    def path(self, path):
        self._set_path(path)

    def set_path(self, path):
        self.custom_path = path


def remote(path):
    if path.startswith('/oci/'):
        path = path[len('/oci/'):].replace('_', '/')
        return 'oci://' + (path[:-len('/models')] if path.endswith('/models') else path)
    for scheme, mount in MOUNTS:
        if mount and path.startswith(mount):
            return scheme + path[len(mount):]
    return path


def get_uri(suffix='Output'):
    if not TASK_ROOT:
        raise RuntimeError('dsl.get_uri works while a task runs')
    if TASK_ROOT[0] == '/tmp/kfp_outputs':
        import warnings
        warnings.warn('KFP doesn\'t support dsl.get_uri; name a URI', RuntimeWarning, stacklevel=2)
        return ''
    return os.path.join(remote(TASK_ROOT[0]), suffix)


class Dataset(Artifact):
    schema_title = 'system.Dataset'


class Model(Artifact):
    schema_title = 'system.Model'

    def _get_path(self):
        path = Artifact._get_path(self)
        return path + '/models' if self.uri.startswith('oci://') and not self.custom_path else path

    @property
    def framework(self):
        return self.metadata.get('framework', '')

    @framework.setter
    def framework(self, framework):
        self.metadata['framework'] = framework


class HTML(Artifact):
    schema_title = 'system.HTML'


class Markdown(Artifact):
    schema_title = 'system.Markdown'


class Metrics(Artifact):
    schema_title = 'system.Metrics'

    def log_metric(self, metric, value):
        self.metadata[metric] = value


class ClassificationMetrics(Artifact):
    schema_title = 'system.ClassificationMetrics'

    def log_roc_data_point(self, fpr, tpr, threshold):
        self.metadata.setdefault('confidenceMetrics', []).append(
            {'confidenceThreshold': threshold, 'recall': tpr, 'falsePositiveRate': fpr})

    def log_roc_curve(self, fpr, tpr, threshold):
        if not len(fpr) == len(tpr) == len(threshold):
            raise ValueError('Length of fpr, tpr and threshold must be the same. Got lengths %d, %d and %d respectively.'
                             % (len(fpr), len(tpr), len(threshold)))
        for point in zip(fpr, tpr, threshold):
            self.log_roc_data_point(*point)

    def set_confusion_matrix_categories(self, categories):
        self._categories = list(categories)
        self._matrix = [dict(row=[0] * len(self._categories)) for _ in self._categories]
        self.metadata['confusionMatrix'] = dict(annotationSpecs=[dict(displayName=c) for c in self._categories], rows=self._matrix)

    def _index(self, category):
        categories = getattr(self, '_categories', [])
        if category not in categories:
            raise ValueError('Invalid category: %s passed. Expected one of: %s' % (category, categories))
        return categories.index(category)

    def log_confusion_matrix_row(self, row_category, row):
        index = self._index(row_category)
        if len(row) != len(self._categories):
            raise ValueError('Invalid row. Expected size: %d got: %d' % (len(self._categories), len(row)))
        self._matrix[index] = dict(row=row)
        self.metadata['confusionMatrix']['rows'] = self._matrix

    def log_confusion_matrix_cell(self, row_category, col_category, value):
        self._matrix[self._index(row_category)]['row'][self._index(col_category)] = value

    def log_confusion_matrix(self, categories, matrix):
        self.set_confusion_matrix_categories(categories)
        if len(matrix) != len(categories) or any(len(r) != len(categories) for r in matrix):
            raise ValueError('Invalid matrix: %s passed for categories: %s' % (matrix, categories))
        for category, row in zip(categories, matrix):
            self.log_confusion_matrix_row(category, row)


class SlicedClassificationMetrics(Artifact):
    """Its methods work, unlike those of KFP's SDK 2.17."""
    schema_title = 'system.SlicedClassificationMetrics'

    def _slice(self, name):
        slices = self.__dict__.setdefault('_sliced_metrics', {})
        if name not in slices:
            slices[name] = ClassificationMetrics()
            self.metadata['evaluationSlices'] = [dict(slice=n, sliceClassificationMetrics=s.metadata) for n, s in slices.items()]
        return slices[name]

    def load_roc_readings(self, slice, readings):
        for threshold, tpr, fpr in readings:
            self._slice(slice).log_roc_data_point(fpr, tpr, threshold)

    def log_roc_reading(self, slice, threshold, tpr, fpr):
        self._slice(slice).log_roc_data_point(fpr, tpr, threshold)

    def set_confusion_matrix_categories(self, slice, categories):
        self._slice(slice).set_confusion_matrix_categories(categories)

    def log_confusion_matrix_row(self, slice, row_category, row):
        self._slice(slice).log_confusion_matrix_row(row_category, row)

    def log_confusion_matrix_cell(self, slice, row_category, col_category, value):
        self._slice(slice).log_confusion_matrix_cell(row_category, col_category, value)

    def load_confusion_matrix(self, slice, categories, matrix):
        self._slice(slice).log_confusion_matrix(categories, matrix)
