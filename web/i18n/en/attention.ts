// How heads weigh values.
export const attention = {
  name: 'attention',
  kinds: {
    softmax: 'softmax',
    linear: 'linear (eq. 19)',
    linear_rotate_first: 'linear, rotated first',
  },
  hints: {
    softmax: 'Weights are a softmax of scores.',
    linear:
      'The paper’s linear attention: φ(x) = elu(x) + 1 of queries and keys, then the rotation, over a sum that is not rotated. Weights may be negative and do not come to 1. Scores depend on distances alone.',
    linear_rotate_first:
      'A common variant, not the paper’s: the rotation comes before φ. Its scores depend on where the text begins: shift everything to see it.',
  },
}
