// Where a model comes from: a folder's address, files, or the hub.
import { configName } from '../engine/protocol/folder'
import type { ModelSource } from '../engine/protocol/protocol'
import type { FetchOptions } from './hub'

/** A model of huggingface.co: "owner/name", or "owner/name@revision". */
export interface OnHub {
  hub: string
}

export type Source = string | URL | readonly File[] | OnHub

/** @param base the address that `source` may be relative to. @throws {Failure} */
export async function sourceOfModel(source: Source, base: string, options: FetchOptions): Promise<ModelSource> {
  if (typeof source === 'string' || source instanceof URL) {
    const folder = new URL(source, base)
    if (!folder.pathname.endsWith('/')) folder.pathname += '/'
    return { kind: 'url', base: folder.href, name: nameOf(folder.pathname) }
  }
  if ('hub' in source) return (await import('./hub')).fromHub(source.hub, options)
  const config = source.find(({ name }) => name === configName)
  return { kind: 'files', files: [...source], name: nameOf(folderOf(config)) }
}

/** A File of Node has no `webkitRelativePath`. */
const folderOf = (file: (Omit<File, 'webkitRelativePath'> & { webkitRelativePath?: string }) | undefined) =>
  (file?.webkitRelativePath ?? '').replace(configName, '')

const nameOf = (path: string) => decodeURIComponent(path.split('/').filter(Boolean).at(-1) ?? 'model')
