// The parts of each chapter that need no translation: figures, ruler, the guess's answer, and what its links set.
import type { ErratumId } from '../about/errata.en'
import type { Choice, chapters } from '../../viewstate/choice'
import { examples } from '../../viewstate/examples'
import { names, oneOf } from '../../viewstate/fields'
import { added } from '../../figures/added'
import { cost } from '../../figures/cost'
import { hand } from '../../figures/hand'
import { longer } from '../../figures/longer'
import { near } from '../../figures/near'
import { norms } from '../../figures/norms'
import { queue } from '../../figures/queue'
import { shift } from '../../views/shift'
import { speeds } from '../../figures/speeds'
import { stretch } from '../../figures/stretch'
import { lengths, rotations } from '../../figures/trials'
import { turn } from '../../figures/turn'
import type { View, WithParams } from '../../views/view'
import { ways } from '../../figures/ways'
import { set } from '../../i18n/facts'
import type { AnyParams } from '../../viewstate/fields'

export type RulerPart = 'headSize' | 'base' | 'context' | 'vectors' | 'positions'

/** What a link sets: the state, and parameters of one of the chapter's figures, by default the first. */
export interface Try {
  choice?: Partial<Choice>
  figure?: View
  params?: AnyParams
}

export interface Chapter {
  id: (typeof chapters)[number]
  /** One is visible at a time, at first the first. */
  figures: readonly [View, ...View[]]
  ruler: readonly RulerPart[]
  /** The figure that follows the ruler; by default the first. */
  rulerFigure?: View
  /** The index of the right answer. */
  right: number
  tries: readonly Try[]
  errata: readonly ErratumId[]
}

/** The chapter's figure of this id, else its first. */
export const figureIn = ({ figures: [first, ...others] }: Chapter, named: unknown): View =>
  others.find(({ id }) => id === named) ?? first

function sentence(id: string): Partial<Choice> {
  const { text, layer, head, query, key } = examples.find((example) => example.id === id) ?? examples[0]
  return { text, layer, head, query, key }
}

/** The arrows of chapter 4's text. */
const theExample = { angle: 30, qx: 1, qy: 0, kx: 0.7, ky: 0.7 }

export const contents: readonly Chapter[] = [
  {
    id: '1',
    figures: [queue],
    ruler: [],
    right: 2,
    tries: [{ params: { served: 1 } }, { choice: sentence('near') }, { choice: sentence('far') }],
    errata: [],
  },
  {
    id: '2',
    figures: [hand],
    ruler: [],
    right: 0,
    tries: [{ params: { order: '102' } }, { params: { mask: 'causal' } }, { params: { by: 1 } }],
    errata: [],
  },
  {
    id: '3',
    figures: [added],
    ruler: ['headSize', 'base', 'positions'],
    right: 2,
    tries: [
      { params: { rows: 'learned' } },
      { params: { rows: 'sinusoids' }, choice: { base: set.base } },
      { params: { rows: 'sinusoids' }, choice: { headSize: set.largeHead } },
    ],
    errata: ['periodic'],
  },
  {
    id: '4',
    figures: [turn, norms],
    ruler: ['headSize', 'positions'],
    rulerFigure: norms,
    right: 1,
    tries: [
      { params: { ...theExample, m: set.near.query, n: set.near.key } },
      { params: { ...theExample, m: set.near.key, n: set.near.query } },
      { figure: norms, choice: { vectors: 'random' } },
    ],
    errata: ['sign', 'product', 'score', 'added', 'halves'],
  },
  {
    id: '5',
    figures: [speeds],
    ruler: ['headSize', 'base', 'context', 'vectors', 'positions'],
    right: 1,
    tries: [
      { choice: { query: set.farDistance + 10, key: 10, vectors: 'random' } },
      { choice: { query: 9, key: 8 } },
      { choice: { base: set.largerBase, vectors: 'random' } },
    ],
    errata: ['fast', 'precision'],
  },
  {
    id: '6',
    figures: [near],
    ruler: ['headSize', 'base', 'context', 'vectors', 'positions'],
    right: 1,
    tries: [
      { params: { curve: 'bound', alike: true } },
      {
        params: { curve: 'score', alike: false, aligned: set.aligned },
        choice: { vectors: 'equal', maxDistance: 512 },
      },
      { params: { curve: 'base', alike: false }, choice: { headSize: 128, base: 500_000, vectors: 'random' } },
    ],
    errata: ['decay'],
  },
  {
    id: '7',
    figures: [shift],
    ruler: [],
    right: 0,
    tries: [
      { choice: { offset: set.offset, rotaryValue: false, rotatesValues: false } },
      { choice: { offset: 10_000, rotaryValue: true, rotatesValues: false } },
      { choice: { offset: 10_000, rotaryValue: false, rotatesValues: true } },
    ],
    errata: [],
  },
  {
    id: '8',
    figures: [stretch, longer],
    ruler: ['headSize', 'base', 'context'],
    right: 2,
    tries: [
      {
        choice: { headSize: set.headSize, base: 10_000, context: 4096, vectors: 'random' },
        params: { factor: set.factor, ways: ['yarn', 'yarnCode', 'ntk'] },
      },
      {
        choice: { headSize: 128, base: 500_000, context: 8192, vectors: 'random' },
        params: { factor: 8, ways: ['llama'] },
      },
      {
        choice: { headSize: 96, base: 10_000, context: 4096, vectors: 'random' },
        params: { factor: 32, ways: ['yarn', 'longrope'] },
      },
    ],
    errata: [],
  },
  {
    id: '9',
    figures: [ways],
    ruler: [],
    right: 2,
    tries: [
      { params: { way: 'learned', first: 60 } },
      { params: { way: 'sinusoidal', first: set.first } },
      { params: { way: 'rope', first: set.first } },
    ],
    errata: ['neo'],
  },
  {
    id: '10',
    figures: [cost, rotations, lengths],
    ruler: ['headSize'],
    right: 0,
    tries: [{ params: { kinds: 'rotary' } }, { figure: rotations, params: {} }, { figure: lengths, params: {} }],
    errata: ['linear'],
  },
]

/** All figures: the first of each chapter, then the others. */
export const figures: readonly View[] = [
  ...contents.map(({ figures: [first] }) => first),
  ...contents.flatMap(({ figures: [, ...others] }) => others),
]

/** Read's parameters in the link. */
export const readPage: WithParams = {
  id: 'read',
  params: {
    /** The visible figure of a chapter. */
    figure: oneOf(
      'figure',
      'queue',
      figures.map(({ id }) => id),
    ),
    /** The open figures where all are listed. */
    figures: names('figures', ['speeds', 'near'], 2),
  },
}
