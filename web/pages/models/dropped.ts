import { t } from './messages.en'
import { configName } from '../../engine/protocol/folder'
import { textOf } from '../../engine/protocol/failure'
import type { ModelSource } from '../../engine/protocol/protocol'
import type { EngineState } from '../../session/engine.svelte'

/** A model source of files, named by their folder, or as their config.json names it. */
export async function sourceOf(files: File[]): Promise<ModelSource> {
  const folder = files.find((file) => file.webkitRelativePath)?.webkitRelativePath.split('/')[0]
  const name = folder || (await nameInConfig(files.find(({ name }) => name === configName)))
  return { kind: 'files', files, name: name || t().yours }
}

/** The last part of the path that it was saved from, which newer files do not say, or its class. */
async function nameInConfig(config: File | undefined): Promise<string | undefined> {
  const read: unknown = await config
    ?.text()
    .then(JSON.parse)
    .catch(() => undefined)
  if (typeof read !== 'object' || read === null) return undefined
  const path = '_name_or_path' in read ? read._name_or_path : undefined
  const folder = typeof path === 'string' ? path.split(/[\\/]/).findLast((part) => part !== '') : undefined
  const [kind]: unknown[] = 'architectures' in read && Array.isArray(read.architectures) ? read.architectures : []
  return folder ?? (typeof kind === 'string' ? kind : undefined)
}

/** Opens dropped files as a model, or reports which one cannot be read. */
export async function openDropped(
  transfer: Pick<DataTransfer, 'items' | 'files'>,
  open: (source: ModelSource) => void,
  engine: Pick<EngineState, 'trouble'>,
): Promise<void> {
  let files: File[]
  try {
    files = await droppedFiles(transfer)
  } catch (error) {
    engine.trouble('load', () => {
      const { title, text } = t().unreadableDrop
      return { title, text: text(textOf(error)), retryable: false }
    })
    return
  }
  open(await sourceOf(files))
}

/** How deep folders are searched. */
const deepest = 3

/** The dropped files, including those in dropped folders, with their paths. */
async function droppedFiles(transfer: Pick<DataTransfer, 'items' | 'files'>): Promise<File[]> {
  // Entries are gone after the first await.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...transfer.files]
  return (await Promise.all(entries.map((entry) => filesOf(entry, 0)))).flat()
}

async function filesOf(entry: FileSystemEntry, depth: number): Promise<File[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => {
      entry.file(resolve, ({ message }) => reject(new Error(`${entry.fullPath}: ${message}`)))
    })
    // Dropped files have an empty webkitRelativePath.
    Object.defineProperty(file, 'webkitRelativePath', { value: entry.fullPath.replace(/^\//, '') })
    return [file]
  }
  if (!isDirectory(entry) || depth >= deepest) return []
  const reader = entry.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    // readEntries returns batches; an empty one is the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) break
    children.push(...batch)
  }
  return (await Promise.all(children.map((child) => filesOf(child, depth + 1)))).flat()
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
