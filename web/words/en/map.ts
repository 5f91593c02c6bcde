export const map = {
  tab: 'Map',
  title: 'One head’s map',
  help: 'Rows ask (query), columns answer (key). A row’s weights sum to 1.',
  source:
    'RoFormer (Su et al. 2021, arXiv 2104.09864), equation 2; q and k are already rotated to their positions. A large weight says where a head reads from, not what it does with it: attention is no explanation.',
}
