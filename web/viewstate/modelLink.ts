import type { ModelSource } from '../engine/protocol/protocol'

/** The prefix of a model of the hub in a link. */
export const hubPrefix = 'hub:'

/** A model in the link; of the hub with its commit, so that a link names the same files everywhere. */
export function modelLink(source: ModelSource): string {
  if (source.kind === 'hub') return `${hubPrefix}${source.name}@${source.revision}`
  return source.kind === 'url' ? source.name : ''
}
