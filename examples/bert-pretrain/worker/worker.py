"""Pre-trains a BERT on masked characters. torchrun starts it once for each GPU:

    torchrun --standalone --nproc_per_node=gpu worker.py --corpus=维基百科.txt --name=模型 --model=out
"""
import argparse
import collections
import json
import os
import random
import time

import torch
import torch.distributed as dist
from torch import nn

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
UNK, CLS, MASK = 1, 2, 4


def options():
    p = argparse.ArgumentParser()
    for name in ("corpus", "name", "model", "checkpoints"):
        p.add_argument("--" + name, required=name != "checkpoints", default="")
    for name, default in (
        ("layers", 12), ("hidden", 768), ("heads", 12), ("intermediate", 3072), ("sequence", 512), ("vocabulary", 21128),
        ("steps", 100000), ("batch", 32), ("warmup", 1000), ("save-every", 1000), ("seed", 1),
    ):
        p.add_argument("--" + name, type=int, default=default)
    for name, default in (("dropout", 0.1), ("rate", 1e-4), ("weight-decay", 0.01), ("masked", 0.15)):
        p.add_argument("--" + name, type=float, default=default)
    return p.parse_args()


class Bert(nn.Module):
    """An encoder whose output layer shares the weights of the embedding."""

    def __init__(self, o, size):
        super().__init__()
        self.characters = nn.Embedding(size, o.hidden)
        self.places = nn.Embedding(o.sequence, o.hidden)
        self.norm = nn.LayerNorm(o.hidden)
        layer = nn.TransformerEncoderLayer(o.hidden, o.heads, o.intermediate, o.dropout, "gelu", batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, o.layers)
        self.head = nn.Sequential(nn.Linear(o.hidden, o.hidden), nn.GELU(), nn.LayerNorm(o.hidden))
        self.bias = nn.Parameter(torch.zeros(size))
        for w in (self.characters.weight, self.places.weight):
            nn.init.normal_(w, std=0.02)

    def forward(self, ids):
        x = self.characters(ids) + self.places(torch.arange(ids.shape[1], device=ids.device))
        return self.head(self.encoder(self.norm(x))) @ self.characters.weight.T + self.bias


def vocabulary(text, most):
    """Returns the characters, the most frequent first."""
    counts = collections.Counter(c for c in text if not c.isspace())
    kept = sorted(counts, key=lambda c: (-counts[c], c))[: max(0, most - len(SPECIAL))]
    return SPECIAL + kept


def examples(ids, o, size, rng):
    """Returns a batch: what the model sees, and what it is to guess (-100: nothing)."""
    seen, wanted = [], []
    for _ in range(o.batch):
        at = rng.randrange(max(1, len(ids) - o.sequence + 2))
        window = ids[at:at + o.sequence - 1]
        row, want = [CLS], [-100]
        for c in window:
            guess = rng.random() < o.masked
            want.append(c if guess else -100)
            how = rng.random()
            row.append(c if not guess or how >= 0.9 else MASK if how < 0.8 else rng.randrange(len(SPECIAL), size))
        if all(w == -100 for w in want):  # at least one, or there is no loss
            want[1], row[1] = window[0], MASK
        seen.append(row)
        wanted.append(want)
    return torch.tensor(seen), torch.tensor(wanted)


def save(what, path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    torch.save(what, path + ".part")
    os.replace(path + ".part", path)


def main():
    o = options()
    rank, world, local = (int(os.environ.get(k, d)) for k, d in (("RANK", 0), ("WORLD_SIZE", 1), ("LOCAL_RANK", 0)))
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", local) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if cuda else "gloo") if world > 1 else None
    name = torch.cuda.get_device_name(device) if cuda else "CPU"
    print("rank %d of %d, local rank %d, on %s" % (rank, world, local, name), flush=True)

    with open(o.corpus, encoding="utf-8") as f:
        text = f.read()
    words = vocabulary(text, o.vocabulary)
    index = {w: i for i, w in enumerate(words)}
    ids = [index.get(c, UNK) for c in text if not c.isspace()]
    if len(ids) < 2:
        raise SystemExit("%s: no text to learn from" % o.corpus)

    torch.manual_seed(o.seed)  # the same weights everywhere
    model = Bert(o, len(words)).to(device)
    if world > 1:
        model = nn.parallel.DistributedDataParallel(model, device_ids=[local] if cuda else None)
    bare = model.module if world > 1 else model
    adam = torch.optim.AdamW(model.parameters(), lr=o.rate, weight_decay=o.weight_decay)
    warmup = min(o.warmup, o.steps // 2)
    rate = torch.optim.lr_scheduler.LambdaLR(
        adam, lambda n: (n + 1) / (warmup + 1) if n < warmup else max(0.0, (o.steps - n) / max(1, o.steps - warmup)))

    start, losses = 0, []
    kept = os.path.join(o.checkpoints, o.name + ".pt") if o.checkpoints else ""
    shape = [o.layers, o.hidden, o.heads, o.intermediate, o.sequence, len(words), o.seed, o.steps]
    if kept and os.path.exists(kept):
        c = torch.load(kept, map_location=device)
        if c["shape"] == shape:
            bare.load_state_dict(c["model"]), adam.load_state_dict(c["adam"]), rate.load_state_dict(c["rate"])
            start, losses = c["step"], c["losses"]
            print("goes on at step %d of %s" % (start, kept), flush=True)

    began = time.time()
    for step in range(start, o.steps):
        rng = random.Random("%d %d %d" % (o.seed, step, rank))  # each process sees other examples
        seen, wanted = (t.to(device) for t in examples(ids, o, len(words), rng))
        loss = nn.functional.cross_entropy(model(seen).flatten(0, 1), wanted.flatten(), ignore_index=-100)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        rate.step()
        mean = loss.detach().clone()
        if world > 1:
            dist.all_reduce(mean)
            mean /= world
        if not torch.isfinite(mean):
            raise SystemExit("the loss of step %d is %s; try a smaller rate" % (step + 1, mean.item()))
        losses.append(mean.item())
        if rank == 0:
            if step < 10 or (step + 1) % 100 == 0 or step + 1 == o.steps:
                print("step %d of %d: loss %.4f" % (step + 1, o.steps, mean.item()), flush=True)
            if kept and (step + 1) % o.save_every == 0 and step + 1 < o.steps:
                save({"shape": shape, "model": bare.state_dict(), "adam": adam.state_dict(), "rate": rate.state_dict(), "step": step + 1, "losses": losses[:1] + losses[-1:]}, kept)

    if rank == 0:
        took = max(1e-9, time.time() - began)
        save(bare.state_dict(), os.path.join(o.model, o.name + ".pt"))
        with open(os.path.join(o.model, "vocab.txt"), "w", encoding="utf-8") as f:
            f.writelines(w + "\n" for w in words)
        for file, what in (
            ("config.json", {"name": o.name, "layers": o.layers, "hidden": o.hidden, "heads": o.heads, "intermediate": o.intermediate, "sequence": o.sequence, "vocabulary": len(words)}),
            ("result.json", {"steps": o.steps, "first_loss": losses[0], "last_loss": losses[-1], "processes": world, "device": name,
                             "characters_per_second": (o.steps - start) * o.batch * world * o.sequence / took}),
        ):
            with open(os.path.join(o.model, file), "w", encoding="utf-8") as f:
                json.dump(what, f, ensure_ascii=False, indent=1)
        if kept and os.path.exists(kept):
            os.remove(kept)
    if world > 1:
        dist.barrier()
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
