// The rows of the table of models: the visitor's own, the bundled ones, those of the hub.
import bundledFacts from 'virtual:bundled-facts'
import { configName } from '../../engine/protocol/folder'
import type { ModelSource } from '../../engine/protocol/protocol'
import { bundledModels } from '../../services/bundled'
import type { HubAddress } from '../../services/hub/address'
import type { StoredModel } from '../../services/hub/hub.svelte'
import { bytesOf, weightsOf } from '../../services/hub/listing'
import { addressOf, shelf, shelfModel, type ShelfModel } from '../../services/hub/shelf'
import { readFacts, unknownFacts, type ModelFacts } from '../../services/modelFacts'
import { notebookConfig, notebookName, notebookSizes, notebookTensors } from '../../services/notebook'

export const groups = ['own', 'bundled', 'hub'] as const

/** Where a model comes from. */
type Origin =
  | { kind: 'own'; source: ModelSource }
  | { kind: 'bundled'; folder: string }
  /** Made in the browser. */
  | { kind: 'random' }
  | { kind: 'shelved'; address: HubAddress }
  | { kind: 'stored'; model: StoredModel }

export interface ModelRow {
  id: string
  group: (typeof groups)[number]
  origin: Origin
  /** Of the hub. */
  owner: string
  name: string
  facts: ModelFacts
  /** Of the weights; undefined where it is unknown. */
  bytes: number | undefined
  /** Whether that size is an estimate. */
  estimated: boolean
  /** Null: none is named; undefined: unknown. */
  licence: string | null | undefined
  gated: boolean
  /** The key of its story in the messages. */
  story: string | undefined
}

/** The visitor's own model, with what its config.json says. */
export interface OwnModel {
  source: Extract<ModelSource, { kind: 'files' }>
  facts: ModelFacts
}

const known = { owner: '', estimated: false, gated: false }

/** Whether this source is the row's model. */
export function isRowOf({ origin }: ModelRow, source: ModelSource | undefined): boolean {
  switch (origin.kind) {
    case 'own':
      return origin.source === source
    case 'bundled':
      return source?.kind === 'url' && source.name === origin.folder
    case 'random':
      return source?.kind === 'files' && source.name === notebookName
    case 'stored':
      return source?.kind === 'hub' && source.revision === origin.model.record.commit
    case 'shelved':
      return false
  }
}

export function modelRows(own: OwnModel | undefined, stored: readonly StoredModel[]): ModelRow[] {
  const storedNames = new Set(stored.map(({ record }) => `${record.owner}/${record.name}`))
  const isStored = (entry: ShelfModel) => {
    const { owner, name } = addressOf(entry)
    return storedNames.has(`${owner}/${name}`)
  }
  return [
    ...(own ? [ownRow(own)] : []),
    ...bundledModels.map(({ folder }) => bundledRow(folder)),
    randomRow(),
    ...stored.map((model, at) => storedRow(model, stored.slice(0, at))),
    ...shelf.filter((entry) => !isStored(entry)).map(shelvedRow),
  ]
}

function ownRow({ source, facts }: OwnModel): ModelRow {
  const { name, files } = source
  const weights = weightsOf(files.map(({ name, size }) => ({ path: name, size })))
  return {
    ...known,
    id: `own:${name}`,
    group: 'own',
    origin: { kind: 'own', source },
    name,
    facts,
    bytes: weights.length > 0 ? bytesOf(weights) : undefined,
    licence: undefined,
    story: undefined,
  }
}

function bundledRow(folder: string): ModelRow {
  const facts = bundledFacts[folder]
  return {
    ...known,
    id: folder,
    group: 'bundled',
    origin: { kind: 'bundled', folder },
    name: folder,
    facts: readFacts(facts?.config),
    bytes: facts?.bytes,
    licence: facts?.licence,
    story: folder,
  }
}

function randomRow(): ModelRow {
  const sizes = notebookTensors(notebookSizes).map(([, shape]) => shape.reduce((all, size) => all * size, 1))
  return {
    ...known,
    id: notebookName,
    group: 'bundled',
    origin: { kind: 'random' },
    name: notebookName,
    facts: readFacts(notebookConfig),
    // f16
    bytes: 2 * sizes.reduce((sum, size) => sum + size, 0),
    licence: undefined,
    story: notebookName,
  }
}

function shelvedRow(entry: ShelfModel): ModelRow {
  const address = addressOf(entry)
  const { owner, name } = address
  return {
    id: `${owner}/${name}`,
    group: 'hub',
    origin: { kind: 'shelved', address },
    owner,
    name,
    facts: shelvedFacts(entry),
    bytes: entry.megabytes * 1e6,
    estimated: !entry.listed,
    licence: entry.licence,
    gated: entry.gated === true,
    story: entry.id,
  }
}

/** What its page on the hub says; the rest is in its config.json. */
function shelvedFacts({ family, shape, base }: ShelfModel): ModelFacts {
  return {
    family,
    layers: shape ? [shape[0]] : [],
    heads: shape?.[1],
    rope: base === undefined ? undefined : { bases: [base] },
  }
}

function storedRow(model: StoredModel, before: readonly StoredModel[]): ModelRow {
  const { record, facts } = model
  const { owner, name, commit } = record
  const shelved = shelfModel(record)
  const another = before.some((other) => other.record.owner === owner && other.record.name === name)
  return {
    // The row of a shelved model stays the same one when it is fetched.
    id: another ? `${owner}/${name}@${commit}` : `${owner}/${name}`,
    group: 'hub',
    origin: { kind: 'stored', model },
    owner,
    name,
    facts: facts.family === undefined && shelved ? shelvedFacts(shelved) : facts,
    bytes: bytesOf(weightsOf(record.needed)),
    estimated: false,
    licence: record.licence ?? null,
    gated: record.gated,
    story: shelved?.id,
  }
}

/** The first row of this model of the hub. */
export const rowOfAddress = (rows: readonly ModelRow[], { owner, name }: HubAddress): ModelRow | undefined =>
  rows.find((row) => row.group === 'hub' && row.owner === owner && row.name === name)

/** What the config.json of a model says, wherever its files are. */
export async function factsOfSource(source: ModelSource): Promise<ModelFacts> {
  if (source.kind === 'url') return readFacts(bundledFacts[source.name]?.config)
  const file =
    source.kind === 'hub'
      ? source.files.find(({ path }) => path === configName)?.file
      : source.files.find(({ name }) => name === configName)
  // What cannot be read says nothing: opening the model says why.
  return file ? file.text().then(readFacts, () => unknownFacts) : unknownFacts
}
