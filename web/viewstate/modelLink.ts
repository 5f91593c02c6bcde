import type { ModelSource } from '../engine/protocol/protocol'

/** What a link has before the name of a model of the hub. */
export const hubPrefix = 'hub:'

/** What the link has of a model: for one of the hub its commit, too, so that it means the same wherever it is opened. */
export function modelLink(source: ModelSource): string {
  if (source.kind === 'hub') return `${hubPrefix}${source.name}@${source.revision}`
  return source.kind === 'url' ? source.name : ''
}
