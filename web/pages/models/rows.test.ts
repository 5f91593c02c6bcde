import { readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readFacts, unknownFacts, type ModelFacts } from '../../services/modelFacts'
import type { StoredModel } from '../../services/hub/hub.svelte'
import { revisions } from '../../services/hub/store'
import { shelf } from '../../services/hub/shelf'
import { factsOfSource, isRowOf, modelRows, rowOfAddress } from './rows'

const commit = 'ab'.repeat(20)
const stored = (owner: string, name: string, facts: ModelFacts, at = commit): StoredModel => ({
  record: {
    owner,
    name,
    revision: 'main',
    commit: at,
    licence: 'mit',
    gated: false,
    files: [],
    needed: [
      { path: 'config.json', size: 10 },
      { path: 'model.safetensors', size: 5000 },
    ],
    [revisions]: ['main'],
  },
  facts,
  isReadable: true,
  storedBytes: 5010,
  totalBytes: 5010,
})
const rowOf = (rows: ReturnType<typeof modelRows>, id: string) => {
  const row = rows.find((row) => row.id === id)
  if (!row) throw new Error(`no row ${id}`)
  return row
}

it('has bundled models with the facts of their files', () => {
  const rows = modelRows(undefined, [])
  const english = rowOf(rows, 'roformer-english')
  expect(english.facts).toEqual({ family: 'roformer', layers: [4], heads: 8, rope: { bases: [10_000] } })
  expect(english.bytes).toBe(statSync('models/roformer-english/model.safetensors').size)
  expect(english.licence).toBe('CC0')
  expect(readFileSync('models/roformer-english/README.md', 'utf8')).toContain('(CC0)')
  expect(rowOf(rows, 'marian-numbers').facts).toEqual({ family: 'marian', layers: [2, 2], heads: 4, rope: 'added' })
  expect(rowOf(rows, 'roformer-notebook')).toMatchObject({ bytes: 2 * 77_509_632, facts: { layers: [4], heads: 4 } })
})

it('has every model once: own ones first, shelved ones as long as they are not stored', () => {
  const source = { kind: 'files' as const, files: [new File(['abc'], 'model.safetensors')], name: 'mine' }
  const [entry] = shelf
  const rows = modelRows({ source, facts: unknownFacts }, [
    stored('junnyu', 'roformer_small_generator', unknownFacts),
    stored('someone', 'else', readFacts({ model_type: 'llama', num_hidden_layers: 3, num_attention_heads: 2 })),
    stored('someone', 'else', unknownFacts, 'cd'.repeat(20)),
  ])
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  expect(rows[0]).toMatchObject({ group: 'own', name: 'mine', bytes: 3, licence: undefined })
  expect(rows.filter(({ group }) => group === 'hub')).toHaveLength(shelf.length + 2)
  // Before its config.json is there, a stored model has the facts of the shelf.
  expect(rowOf(rows, 'junnyu/roformer_small_generator')).toMatchObject({
    origin: { kind: 'stored' },
    bytes: 5000,
    facts: { family: 'roformer', layers: [] },
    story: entry?.id,
  })
  expect(rowOf(rows, 'someone/else').facts).toMatchObject({ layers: [3], heads: 2, rope: { bases: [10_000] } })
  expect(rowOfAddress(rows, { owner: 'someone', name: 'else', revision: 'main' })?.id).toBe('someone/else')
  expect(rowOfAddress(rows, { owner: 'no', name: 'one', revision: 'main' })).toBeUndefined()
})

it('knows the row of the loaded model', () => {
  const rows = modelRows(undefined, [stored('a', 'b', unknownFacts)])
  const loaded = rows.filter((row) => isRowOf(row, { kind: 'hub', name: 'a/b', revision: commit, files: [] }))
  expect(loaded.map(({ id }) => id)).toEqual(['a/b'])
  const bundled = rows.filter((row) => isRowOf(row, { kind: 'url', base: '', name: 'roformer-english' }))
  expect(bundled.map(({ id }) => id)).toEqual(['roformer-english'])
})

it('reads the config.json of files and of stored files', async () => {
  const config = new File(['{"model_type":"gpt_neox","num_hidden_layers":6,"num_attention_heads":8}'], 'config.json')
  const expected = { family: 'gpt_neox', layers: [6], heads: 8, rope: { bases: [10_000] } }
  expect(await factsOfSource({ kind: 'files', files: [config], name: 'x' })).toEqual(expected)
  const files = [{ path: 'config.json', file: config }]
  expect(await factsOfSource({ kind: 'hub', name: 'a/b', revision: commit, files })).toEqual(expected)
  expect(await factsOfSource({ kind: 'files', files: [], name: 'x' })).toEqual(unknownFacts)
})
