export const score = {
  tab: 'Score',
  title: 'One score, taken apart',
  help: 'What each frequency pair adds to the score of the chosen query and key.',
  source:
    'From RoFormer (Su et al. 2021, arXiv 2104.09864), equation 35: qᵢ and kᵢ are the two coordinates of pair i before rotation, φᵢ the angle from one to the other. The frequencies θᵢ are this model’s own. Softmax turns a row’s scores into its weights; what the value carries is not shown here.',
}
