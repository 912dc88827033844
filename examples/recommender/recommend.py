"""Says what to read next."""
import csv
import json

from kfp.dsl import Dataset, Input, Markdown, Model, Output

SHOWN = 5  # readers on the page


def recommend(books: Input[Dataset], train: Input[Dataset], features: Input[Dataset], model: Input[Model],
              recommendations: Output[Dataset], page: Output[Markdown], count: int = 3):
    with open(books.path, newline='') as f:
        catalogue = {row['book']: row for row in csv.DictReader(f)}
    rated = {}
    with open(train.path, newline='') as f:
        for row in csv.DictReader(f):
            rated.setdefault(row['reader'], {})[row['book']] = float(row['stars'])
    with open(features.path) as f:
        known = json.load(f)
    with open(model.path) as f:
        factors = json.load(f)

    def expected(reader, book):
        """The same sum as predict in model.go."""
        stars = known['mean'] + known['readers'].get(reader, 0) + known['books'].get(book, 0)
        stars += known['likings'].get(reader, {}).get(known['genres'].get(book), 0)
        pair = zip(factors['readers'].get(reader, []), factors['books'].get(book, []))
        return min(max(stars + sum(a * b for a, b in pair), 1), 5)

    with open(recommendations.path, 'w', newline='') as f, open(page.path, 'w') as shown:
        out = csv.writer(f)
        out.writerow(['reader', 'book', 'stars'])
        shown.write('# What to read next\n')
        for i, reader in enumerate(sorted(rated)):
            unread = [(expected(reader, book), book) for book in catalogue if book not in rated[reader]]
            best = sorted(unread, key=lambda pair: (-pair[0], pair[1]))[:count]
            out.writerows((reader, book, f'{stars:.2f}') for stars, book in best)
            if i < SHOWN:
                liked = max(rated[reader], key=lambda book: (rated[reader][book], book))
                shown.write(f"\n## {reader}, who liked {catalogue[liked]['title']}\n\n")
                for stars, book in best:
                    shown.write(f"- {catalogue[book]['title']}, {catalogue[book]['author']} ({stars:.1f} stars)\n")
