"""What the training scripts share: text, tokens, batches, the training loop, scoring, and the files of a model."""
