export const predictions = {
  keys: {
    across: 'the token before, the next; on the heads another head',
    along: 'on the heads another layer',
    ends: 'the first, the last',
    pages: 'ten tokens back or on; the first, the last layer',
    take: 'masks the token, or gives its word back; switches the head',
  },
  tab: 'Predictions',
  title: 'What the model expects',
  help: 'Its likeliest tokens. Click a guess to put it in, and switch heads off to see what they do for it.',
  source:
    'Probabilities are the softmax of the output head’s logits over the whole vocabulary. A head that is off has its output replaced before the layer’s output projection, by zero or by its mean over the tokens of the text; everything after it is computed anew. The mean keeps what the head gives every token alike, so that only what it tells them apart by is gone. What it does not show: other heads can make up for one that is missing, so a small difference does not say that the head does nothing. Layer by layer (the “logit lens”, nostalgebraist 2020) the output head reads the hidden states after each layer, final norm included; it was trained on the last alone, so what it reads earlier need not be what the model holds there.',
}
