import { bundledModels } from '../../services/bundled'
import { describe, expect, it } from 'vitest'
import { defaults } from '../../viewstate/codec'
import type { ModelInfo, ModelSource } from '../../engine/protocol/protocol'
import { readSettings, writeSettings } from '../view'
import { compare, longestText } from '.'
import { modelOf, offeredModels } from './models'
import { presets, scalingOf } from './presets'

const othersThan = (name: string) => bundledModels.map(({ folder }) => folder).filter((folder) => folder !== name)

describe('what the link says of B', () => {
  const rest = defaults.rest

  it('is given back, and what is as by default is left out', () => {
    const change = { with: 'text', text: 'a & b = 100 % <b>', model: 'own', scaling: 'yarn8' }
    const written = writeSettings(compare, change, rest)
    expect(written).toEqual({
      'compare.with': 'text',
      'compare.text': 'a & b = 100 % <b>',
      'compare.model': 'own',
      'compare.scaling': 'yarn8',
    })
    expect(readSettings(compare, written)).toEqual(change)
    const usual = { with: 'change', text: '', model: '', scaling: 'linear4' }
    expect(writeSettings(compare, usual, written)).toEqual({})
    // What is chosen for one of them stays when another is taken.
    expect(writeSettings(compare, { with: 'head' }, written)).toEqual({ ...written, 'compare.with': 'head' })
  })

  it('is taken from strangers only where it makes sense', () => {
    const hostile = {
      'compare.with': 'everything',
      'compare.text': 'x'.repeat(5000),
      'compare.model': '../../'.repeat(40),
      'compare.scaling': '{"rope_type":"linear","factor":1e308}',
    }
    const read = readSettings(compare, hostile)
    expect(read).toMatchObject({ with: 'change', scaling: 'linear4' })
    expect((read['text'] as string).length).toBe(longestText)
    expect((read['model'] as string).length).toBe(64)
    // Nothing is fetched by a name that is not offered.
    const bundled = offeredModels({ kind: 'url', base: '', name: 'roformer-english', files: [] }, undefined, undefined)
    expect(bundled.map(({ id }) => id)).toEqual(othersThan('roformer-english'))
    expect(modelOf(read['model'] as string, bundled)?.id).toBe('roformer-english-causal')
    expect(modelOf('own', [])).toBeUndefined()
  })

  it('offers the visitor’s own model while it is there and another one than A’s', () => {
    const mine: ModelSource = { kind: 'files', files: [], name: 'mine' }
    const ids = (offered: ReturnType<typeof offeredModels>) => offered.map(({ id }) => id)
    expect(ids(offeredModels({ kind: 'url', base: '', name: 'roformer-english', files: [] }, mine, undefined))).toEqual(
      [...othersThan('roformer-english'), 'own'],
    )
    expect(ids(offeredModels(mine, mine, undefined))).toEqual(othersThan(''))
  })
})

it('every preset is a scaling as config.json has it', () => {
  const info = { max_position_embeddings: 512 } as ModelInfo
  expect(presets.map((preset) => JSON.parse(scalingOf(preset, info)) as unknown)).toEqual([
    { rope_type: 'linear', factor: 2 },
    { rope_type: 'linear', factor: 4 },
    { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 512 },
    { rope_type: 'yarn', factor: 8, original_max_position_embeddings: 512 },
  ])
})
