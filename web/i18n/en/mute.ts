export const mute = {
  tab: 'Mute pairs',
  title: 'Mute frequency pairs',
  help: 'Take pairs away from a head and see what it can no longer do.',
  source:
    'Cutting a pair out makes its part of every score 0; stopping it (θᵢ = 0) leaves its content and takes its sense of distance: two questions, asked apart. After Barbero et al. 2024 (arXiv 2410.06205): fast pairs carry position, slow ones, they suspect, content. It shows what this trained model can do without, not what it would have learned without these pairs; a head that fails alone may be replaced by others, and one text is one text: the loss on a held-out book says what it costs beyond it.',
  keys: {
    across: 'on the switches the pair before, the next; on the maps another key',
    along: 'on the maps another query',
    take: 'mutes the pair, or gives it back',
  },
}
