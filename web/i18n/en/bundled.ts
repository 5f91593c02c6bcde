/** What each bundled model is, by its folder. */
export const bundled: Readonly<Record<string, string>> = {
  'roformer-english': 'A small English masked language model: it guesses what [MASK] hides.',
  'roformer-english-causal':
    'A small English causal language model: each token sees those before it, and the next one is guessed.',
  'roformer-linear-english':
    'A small English masked language model whose heads weigh by linear attention (equation 19 of the RoFormer paper); weights below zero are shown as they are.',
  'marian-numbers':
    'An encoder–decoder that writes numbers and dates out in English, Hungarian and Korean: its cross-attention follows the digits.',
}
