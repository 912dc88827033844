"""Makes features of ratings."""
import csv
import json

from kfp.dsl import Dataset, Input, Output


def features(train: Input[Dataset], books: Input[Dataset], features: Output[Dataset], damping: float = 5.0):
    with open(books.path, newline='') as f:
        genre = {row['book']: row['genre'] for row in csv.DictReader(f)}
    with open(train.path, newline='') as f:
        ratings = [(row['reader'], row['book'], float(row['stars'])) for row in csv.DictReader(f)]

    mean = sum(stars for _, _, stars in ratings) / len(ratings)

    def effects(pairs):
        """The mean for each key, nearer to 0 the less there is to go by."""
        total, count = {}, {}
        for key, value in pairs:
            total[key] = total.get(key, 0) + value
            count[key] = count.get(key, 0) + 1
        return {key: total[key] / (count[key] + damping) for key in total}

    quality = effects((book, stars - mean) for _, book, stars in ratings)
    mood = effects((reader, stars - mean - quality[book]) for reader, book, stars in ratings)
    liking = effects(((reader, genre[book]), stars - mean - quality[book] - mood[reader]) for reader, book, stars in ratings)

    made = {'mean': mean, 'genres': genre, 'books': quality, 'readers': mood, 'likings': {}}
    for (reader, kind), effect in liking.items():
        made['likings'].setdefault(reader, {})[kind] = effect
    with open(features.path, 'w') as f:
        json.dump(made, f, indent=1, sort_keys=True)
    features.metadata['mean'] = mean
