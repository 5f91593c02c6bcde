"""Linear attention against numbers worked out by hand, its two forms against each other, and the model that has it."""

from pathlib import Path

import pytest
import torch
import transformers

from ropescope_training.linear_attention import (
    attention_of,
    feature,
    give_attention,
    linear_attention,
    linear_weights,
    rotate,
)
from ropescope_training.model_files import read_model
from ropescope_training.positions import give_positions
from safetensors.torch import load_file

# Four positions, head size 4: q[m, i] = sin(m + 1 + i/2), k[m, i] = cos(m + 0.3 i), v[m, i] = m + 0.1 i.
PLACE, COLUMN = torch.meshgrid(torch.arange(4.0, dtype=torch.float64), torch.arange(4.0, dtype=torch.float64), indexing="ij")
QUERY, KEY, VALUE = (PLACE + 1 + 0.5 * COLUMN).sin(), (PLACE + 0.3 * COLUMN).cos(), PLACE + 0.1 * COLUMN
ANGLES = PLACE[:, :1] * torch.tensor([1.0, 0.01], dtype=torch.float64)
TABLE = torch.cat([ANGLES.sin(), ANGLES.cos()], dim=-1)
OUTPUT = [
    [0.299506, 0.373285, 0.447065, 0.520844],
    [0.502821, 0.577051, 0.651281, 0.725511],
    [0.652829, 0.700193, 0.747557, 0.794922],
    [0.539867, 0.561199, 0.582530, 0.603862],
]
CAUSAL = [[0, 0.1, 0.2, 0.3], [0.393038, 0.476711, 0.560384, 0.644057], [0.539770, 0.586089, 0.632409, 0.678729], OUTPUT[3]]


def near(found: torch.Tensor, expected: torch.Tensor | list | float) -> bool:
    return torch.allclose(found, torch.as_tensor(expected, dtype=torch.float64), atol=1e-6, rtol=0)


def test_the_equation_gives_known_numbers():
    turned = [[0.841471, 0.997495, 0.909297, 0.598472], [-0.012301, 1.088503, 0.144621, -0.349355]]
    assert near(rotate(QUERY, TABLE)[:2], turned)
    weights = linear_weights(QUERY, KEY, TABLE)
    assert near(weights @ VALUE, OUTPUT)
    assert near(linear_attention(QUERY, KEY, VALUE, TABLE), OUTPUT)
    assert near(linear_weights(QUERY, KEY, TABLE, causal=True) @ VALUE, CAUSAL)
    assert near((feature(QUERY) @ feature(KEY).mT).sum(-1), [28.682413, 21.696246, 11.019390, 6.665937])
    assert near(weights.sum(-1), [0.737793, 0.742300, 0.473641, 0.213315])
    assert near(weights.min(), -0.021388)


def test_weights_do_not_depend_on_where_a_text_stands():
    angles = (PLACE[:, :1] + 17) * torch.tensor([1.0, 0.01], dtype=torch.float64)
    shifted = torch.cat([angles.sin(), angles.cos()], dim=-1)
    assert near(linear_weights(QUERY, KEY, shifted), linear_weights(QUERY, KEY, TABLE))


def test_padded_keys_add_nothing():
    kept = torch.tensor([[1.0, 1.0, 0.0, 1.0]], dtype=torch.float64)
    chosen = [0, 1, 3]
    alone = linear_attention(QUERY[chosen], KEY[chosen], VALUE[chosen], TABLE[chosen])
    assert near(linear_attention(QUERY, KEY, VALUE, TABLE, kept)[chosen], alone)
    weights = linear_weights(QUERY, KEY, TABLE, kept)
    assert near((weights @ VALUE)[chosen], alone) and (weights[:, 2] == 0).all()


@pytest.fixture()
def model() -> torch.nn.Module:
    config = dict(vocab_size=50, embedding_size=16, hidden_size=16, num_hidden_layers=2, num_attention_heads=2)
    config |= dict(intermediate_size=16, max_position_embeddings=40)
    torch.manual_seed(4)
    made = transformers.RoFormerForMaskedLM(transformers.RoFormerConfig(**config)).eval()
    with torch.no_grad():
        for layer in made.roformer.encoder.layer:
            for part in (layer.attention.self.query, layer.attention.self.key, layer.attention.output.dense):
                part.weight.mul_(40)
    return made


@torch.no_grad()
def test_a_model_attends_so(model):
    names = list(model.state_dict())
    softmax = model(torch.arange(5, 12)[None]).logits
    give_attention(model, "linear")
    assert attention_of(model) == "linear" and model.config.attention == "linear"
    assert list(model.state_dict()) == names
    ids = torch.tensor([[5, 6, 7, 8, 0, 0], [9, 10, 11, 12, 13, 14]])
    output = model(ids, attention_mask=(ids != 0).long(), output_attentions=True)
    alone = model(ids[:1, :4])
    assert torch.allclose(output.logits[0, :4], alone.logits[0], atol=1e-5)
    assert not torch.allclose(model(torch.arange(5, 12)[None]).logits, softmax, atol=1e-3)
    attention = model.roformer.encoder.layer[0].attention.self
    states = model.roformer.embeddings(ids[1:])
    parts = [part(states).view(1, 6, 2, 8).transpose(1, 2) for part in (attention.query, attention.key)]
    table = model.roformer.encoder.embed_positions.weight[:6]
    assert torch.allclose(output.attentions[0][1:], linear_weights(*parts, table), atol=1e-6)


@torch.no_grad()
def test_the_goldens_of_another_implementation_agree():
    """tests/golden/sources/linear: plain PyTorch in f64 with whole maps, over a padded batch."""
    folder = Path(__file__).parent.parent / "tests" / "golden" / "sources" / "linear"
    expected = load_file(folder / "expected.safetensors")
    model = read_model(folder)
    assert attention_of(model) == "linear"
    inputs = {name: expected[name].long() for name in ("input_ids", "attention_mask", "token_type_ids")}
    output = model(**inputs, output_hidden_states=True, output_attentions=True)
    found = {"logits": output.logits}
    found |= {f"hidden_states.{index}": states for index, states in enumerate(output.hidden_states)}
    found |= {f"attentions.{index}": weights for index, weights in enumerate(output.attentions)}
    assert found.keys() | inputs.keys() == expected.keys()
    for name, tensor in found.items():
        reference = expected[name]
        assert (tensor - reference).abs().max() <= 1e-5 * max(1.0, reference.abs().max().item()), name


@torch.no_grad()
def test_without_rotation_nothing_tells_the_order(model):
    give_attention(model, "linear")
    ids = torch.arange(5, 17)[None]
    turned = model(ids.flip(1)).logits.flip(1)
    assert not torch.allclose(model(ids).logits, turned, atol=1e-3)
    give_positions(model, "none", 40)
    assert torch.allclose(model(ids).logits, model(ids.flip(1)).logits.flip(1), atol=1e-5)


def test_only_an_encoder_is_made_linear():
    config = dict(vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)
    decoder = transformers.RoFormerForCausalLM(transformers.RoFormerConfig(is_decoder=True, **config))
    with pytest.raises(SystemExit, match="only an encoder"):
        give_attention(decoder, "linear")
    with pytest.raises(ValueError, match="no such kind"):
        give_attention(decoder, "cosine")
