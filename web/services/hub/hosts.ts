/** Where the hub answers. */
export const hubBase = 'https://huggingface.co'

/**
 * Every host that a model may come from: the hub, and those that it sends downloads on to, as it lists them itself
 * (huggingface.co/.well-known/meta.json and its page on downloads behind a firewall); the last two groups stand for one host a region.
 * index.html allows the page these and no others.
 */
export const hubHosts: readonly string[] = [
  hubBase,
  'https://cdn-lfs.hf.co',
  'https://cdn-lfs-us-1.hf.co',
  'https://cdn-lfs-eu-1.hf.co',
  'https://*.xethub.hf.co',
  'https://*.xethub-eu.hf.co',
  'https://*.aws.cdn.hf.co',
  'https://*.gcp.cdn.hf.co',
]
