export const laboratory = {
  title: 'Laboratory',
  lead: 'Rotary position embedding by itself. Set a head size and a base under the decay, step the two positions, and watch the angles between them: nothing here needs a model.',
}
