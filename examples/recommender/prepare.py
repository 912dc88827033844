"""Makes clean data of ratings as they come in."""
import csv
from typing import NamedTuple

from kfp.dsl import Dataset, Input, Metrics, Output


def prepare(ratings: Input[Dataset], books: Input[Dataset], train: Output[Dataset],
            validation: Output[Dataset], test: Output[Dataset],
            metrics: Output[Metrics]) -> NamedTuple('Out', [('kept', int), ('dropped', int)]):
    with open(books.path, newline='') as f:
        known = {row['book'] for row in csv.DictReader(f)}
    latest, dropped = {}, {'no stars': 0, 'not 1 to 5 stars': 0, 'no such book': 0, 'rated again': 0}
    with open(ratings.path, newline='') as f:
        for row in csv.DictReader(f):
            key = (row['reader'], row['book'])
            if not row['stars']:
                dropped['no stars'] += 1
            elif row['stars'] not in '12345':
                dropped['not 1 to 5 stars'] += 1
            elif row['book'] not in known:
                dropped['no such book'] += 1
            else:
                if key in latest:
                    dropped['rated again'] += 1
                if key not in latest or int(row['day']) >= int(latest[key]['day']):
                    latest[key] = row

    # The last that a reader rates is for the test, what is before it for the
    # validation: a model must not learn from the future.
    readers = {}
    for row in latest.values():
        readers.setdefault(row['reader'], []).append(row)
    parts = {train: [], validation: [], test: []}
    for rows in readers.values():
        rows.sort(key=lambda row: (int(row['day']), row['book']))
        held = len(rows) // 8
        parts[train] += rows[:len(rows) - 2 * held]
        parts[validation] += rows[len(rows) - 2 * held:len(rows) - held]
        parts[test] += rows[len(rows) - held:]
    for part, rows in parts.items():
        with open(part.path, 'w', newline='') as f:
            out = csv.DictWriter(f, ['reader', 'book', 'stars', 'day'])
            out.writeheader()
            out.writerows(rows)
        part.metadata['ratings'] = len(rows)

    for reason, n in dropped.items():
        print(f'dropped, {reason}: {n}')
    metrics.log_metric('kept', len(latest))
    metrics.log_metric('dropped', sum(dropped.values()))
    return len(latest), sum(dropped.values())
