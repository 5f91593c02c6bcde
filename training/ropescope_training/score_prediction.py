"""What the mean query and key of a head, before rotation, predict of its scores.

Source: TriAttention, arXiv 2604.04921, equations 20 to 26; as `ropescope heads` computes it (src/rope/score_prediction.rs).
"""

import torch


def predict(
    query: torch.Tensor, key: torch.Tensor, special: torch.Tensor, causal: bool, base: float = 10000.0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Concentration R and correlation r̄ of each head of each row, (rows, heads) each, f64.

    query, key: (rows, length, heads, head_size), before rotation, adjacent coordinates a pair. special: (rows, length),
    without a part in means and correlations. r̄ is NaN where fewer than three keys can be compared.
    """
    length, size = query.shape[1], query.shape[3]
    pairs = [torch.view_as_complex(part.double().unflatten(-1, (-1, 2)).contiguous()) for part in (query, key)]
    counted = ~special
    share = counted.double() / counted.sum(1, keepdim=True)
    means = [(part * share[:, :, None, None]).sum(1) for part in pairs]
    norms = [(part.abs() * share[:, :, None, None]).sum(1) for part in pairs]
    strength = norms[0] * norms[1]
    concentration = (norms[1] * means[0].abs()).sum(-1) / strength.sum(-1)

    theta = base ** (-2 * torch.arange(size // 2, dtype=torch.float64) / size)
    turns = torch.polar(torch.ones(length, size // 2, dtype=torch.float64), torch.arange(length)[:, None] * theta)
    rotated = [part * turns[None, :, None] for part in pairs]
    actual = torch.einsum("rmhi,rnhi->rhmn", rotated[0], rotated[1].conj()).real
    between = torch.arange(length)[:, None] - torch.arange(length)[None, :]
    distances = torch.arange(1 - length, length)[:, None] * theta
    swing = torch.polar(torch.ones_like(distances), distances)
    curve = torch.einsum("rhi,di->rhd", means[0] * means[1].conj(), swing).real
    predicted = curve[:, :, between + length - 1]
    visible = counted[:, None, :].expand(-1, length, -1)
    visible = visible & (between >= 0) if causal else visible
    return concentration, correlations(actual, predicted, visible, counted)


def correlations(actual: torch.Tensor, predicted: torch.Tensor, visible: torch.Tensor, counted: torch.Tensor) -> torch.Tensor:
    """Means over the queries `counted` (rows, length) of Pearson's correlation over the keys `visible` (rows, length, length)."""
    visible = visible[:, None].double()
    count = visible.sum(-1, keepdim=True)
    x, y = ((part - (part * visible).sum(-1, keepdim=True) / count) * visible for part in (actual, predicted))
    found = (x * y).sum(-1) / ((x * x).sum(-1) * (y * y).sum(-1)).sqrt()
    usable = (counted[:, None] & (count[..., 0] >= 3)) & found.isfinite()
    return torch.where(usable, found, 0.0).sum(-1) / usable.sum(-1)
