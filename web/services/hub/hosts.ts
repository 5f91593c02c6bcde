export const hubBase = 'https://huggingface.co'

/**
 * The hosts of models, which index.html allows: the hub and those that it redirects downloads to, as it lists them
 * (huggingface.co/.well-known/meta.json and its page on downloads behind a firewall). The last two patterns have a host for each region.
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
