export const compare = {
  tab: 'Compare',
  title: 'A beside B',
  help: 'Two maps side by side, and what is left when one is taken from the other.',
  source:
    'A and B are softmax weights: in each row both sum to 1, and A − B to 0. r is the correlation (Pearson) of all weights of the two maps that can be other than 0. “Elsewhere” is half the sum of |A − B| over a row, the mean of all rows: 0 where both look alike, 1 where they have no token in common. Of two texts only the tokens that both begin and end with are subtracted, where these are a quarter of the shorter one, or all of them, place by place, where there are equally many; in a row all others are one place. “By distance” is 1 less half the sum of differences between the shares of all weight at each distance from its query. It does not show what the heads do with what they read: two that look alike can carry different things.',
}
