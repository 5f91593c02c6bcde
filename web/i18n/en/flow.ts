export const flow = {
  tab: 'Flow',
  title: 'What flows through the layers',
  help: 'Where what arrives at a token comes from, if attention alone moved it, and how much each layer and head adds.',
  source:
    'Attention rollout: Abnar and Zuidema (2020, arXiv 2005.00928, equation 1): a layer’s heads are averaged, half of every token stays where it is, and the layers are multiplied. Norms are of the hidden states as Hugging Face numbers them; a RoFormer normalises after every layer, so they differ little. What a head writes is ‖Σ a v W‖, its weighted values through its part of the output projection, as a mean over tokens (norms as Kobayashi et al. 2020, arXiv 2004.10102, take them): what is added to the residual stream, without the projection’s bias. Heads that write against each other are not told apart. Rollout knows neither values nor feed-forward layers, and all heads count alike: it says where information could have come from, not what was used.',
}
