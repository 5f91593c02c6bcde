import {
  type AttentionKind,
  attentions,
  type BackendChoice,
  type HeadReplacement,
  type ModelSource,
  weightFormats,
  type WeightsChoice,
} from '../engine/protocol/protocol'
import { partNames, type PartName } from '../engine/protocol/parts'
import { chapters, type Chapter, type Choice, type GridWidth, type Page, type Vectors } from './choice'
import { languages } from '../i18n/language'
import { examples } from './examples'
import {
  flag,
  heads,
  headPlace,
  integer,
  mutedPairs,
  names,
  neurons,
  numbers,
  oneOf,
  optional,
  real,
  text,
  type Field,
} from './fields'

const [first] = examples

/** Texts up to this length fit into a link. */
export const longestLinkedText = 12_000

/** JSON of a rope's scaling, in a link: space for a factor of each pair, twice. */
export const longestScaling = 8000

export const ranges = {
  offset: { least: 0, most: 100_000 },
  // Wider than any model's: the engine refuses such a number with its reason, instead of running another one.
  logN: { least: 0, most: 1e9 },
  distanceClamp: { least: 0, most: 1_000_000 },
  headSize: { least: 2, most: 512, step: 2 },
  base: { least: 1.0001, most: 1e8 },
  context: { least: 16, most: 1_048_576 },
  maxDistance: { least: 8, most: 8192 },
  temperature: { least: 0, most: 2 },
  // 0 keeps every token.
  topK: { least: 0, most: 1_000_000 },
  topP: { least: 0.05, most: 1 },
  minP: { least: 0, most: 0.5 },
  repetitionPenalty: { least: 1, most: 2 },
  seed: { least: 0, most: 999_999 },
  maxNewTokens: { least: 1, most: 512 },
} as const

/** Values that have a name of their own in the link. */
export type Named = Exclude<keyof Choice, 'viewParams'>

/** Every value of the state: its name in the link, its default and its range. A model may be smaller: see `clampCursor`. */
export const fields: { readonly [Key in Named]: Field<Choice[Key]> } = {
  page: oneOf<Page>('room', 'explorer', ['explorer', 'read', 'models', 'about']),
  chapter: oneOf<Chapter>('chapter', '1', [...chapters, 'all']),
  model: text('model', 'roformer-english', 400),
  text: text('text', first.text, longestLinkedText),
  part: oneOf<PartName>('part', 'cross', partNames),
  layer: integer('layer', first.layer, 0, 9999),
  head: integer('head', first.head, 0, 9999),
  query: integer('query', first.query, 0, 1_000_000),
  key: integer('key', first.key, 0, 1_000_000),
  pair: optional(integer('pair', 0, 0, 100_000), null),
  beyond: flag('beyond', false),
  offset: integer('offset', 0, 0, ranges.offset.most),
  frozen: mutedPairs('stop'),
  ablated: mutedPairs('cut'),
  ablatedHeads: heads('off'),
  headReplacement: oneOf<HeadReplacement>('offBy', 'zero', ['zero', 'mean']),
  neuronsOff: neurons('neurons'),
  numbers: numbers('numbers'),
  scaling: text('scaling', '', longestScaling),
  rotaryValue: flag('rotaryValue', false),
  rotatesValues: flag('rotatesValues', false),
  logN: optional(real('logN', 512, ranges.logN.least, ranges.logN.most), null),
  distanceClamp: optional(integer('reach', 64, ranges.distanceClamp.least, ranges.distanceClamp.most), null),
  attention: oneOf<AttentionKind | ''>('attention', '', ['', ...attentions]),
  other: optional(headPlace('b.head'), null),
  backend: oneOf<BackendChoice>('backend', 'auto', ['auto', 'gpu', 'cpu']),
  weights: oneOf<WeightsChoice>('weights', 'auto', ['auto', ...weightFormats]),
  open: names('open', ['map', 'score'], 3),
  gridWidth: oneOf<GridWidth>('dock', 'auto', ['narrow', 'auto', 'wide'], { auto: 'usual' }),
  headSize: integer('headSize', 64, ranges.headSize.least, ranges.headSize.most, ranges.headSize.step),
  base: real('base', 10_000, ranges.base.least, ranges.base.most),
  context: integer('context', 512, ranges.context.least, ranges.context.most),
  maxDistance: integer('maxDistance', 256, ranges.maxDistance.least, ranges.maxDistance.most),
  vectors: oneOf<Vectors>('vectors', 'random', ['random', 'equal', 'head']),
  language: oneOf('language', 'en', languages),
  temperature: real('temperature', 0.8, ranges.temperature.least, ranges.temperature.most),
  topK: integer('topK', 40, ranges.topK.least, ranges.topK.most),
  topP: real('topP', 0.95, ranges.topP.least, ranges.topP.most),
  minP: real('minP', 0, ranges.minP.least, ranges.minP.most),
  repetitionPenalty: real('repetitionPenalty', 1, ranges.repetitionPenalty.least, ranges.repetitionPenalty.most),
  seed: integer('seed', 0, ranges.seed.least, ranges.seed.most),
  beams: integer('beams', 0, 0, 8),
  maxNewTokens: integer('maxNewTokens', 48, ranges.maxNewTokens.least, ranges.maxNewTokens.most),
}

const keys = Object.keys(fields) as Named[]

/** Always written, so that a link gives the same numbers everywhere. Other values are written if they are not the default. */
const subject: ReadonlySet<Named> = new Set<Named>(['model', 'text', 'layer', 'head', 'query', 'key'])
/** Of the visitor and the machine: read from a link, never written into one. */
const ofTheVisitor: ReadonlySet<Named> = new Set<Named>(['backend', 'language'])

const pathFields: ReadonlySet<Named> = new Set<Named>(['page', 'chapter'])
/** A page of former links, whose figures are chapters now. */
const formerPage = 'laboratory'
/** A view of former links, which is a part of another view now. */
const formerView = { id: 'candidates', now: 'predictions', param: 'predictions.sums' }
/** `lesson=4` in a link opens the fourth step of the lesson. */
const lesson = { short: 'lesson', view: 'lesson', param: 'lesson.step', answer: 'lesson.answer' }
/** Written into links to Read since figures there have other defaults; links without it are former ones. */
const version = { name: 'v', written: '2' }
/** What those figures showed where a former link did not say. */
const formerParams = {
  'near.curve': 'bound',
  'turn.angle': '30',
  'turn.qx': '1',
  'turn.qy': '0',
  'turn.kx': '0.7',
  'turn.ky': '0.7',
  'ways.way': 'rope',
}

const known = new Set([...keys.map((key) => fields[key].name), version.name])

/** Limits of values without a field of their own. */
const mostViewParams = 64
const longestViewParam = 400

/** The state as a fragment, without its '#': `/explorer?text=…`, `/read/5?…`. A text too long for a link is left out. */
export function encode(choice: Choice): string {
  const written = new URLSearchParams()
  for (const key of keys) {
    if (pathFields.has(key) || ofTheVisitor.has(key) || (key === 'text' && choice.text.length > longestLinkedText))
      continue
    writeField(key, choice, written)
  }
  for (const [name, value] of Object.entries(choice.viewParams)) written.set(name, value)
  if (choice.page === 'read') written.set(version.name, version.written)
  const path = choice.page === 'read' ? `read/${choice.chapter}` : choice.page
  return `/${path}?${written.toString()}`
}

/**
 * The state of a fragment, with or without its '#': `/explorer?text=…`, or in the form of links before pages were paths. Missing or
 * invalid values are the default; numbers out of range are clamped.
 */
export function decode(fragment: string): Choice {
  const { page, chapter, written } = parts(fragment)
  const read = Object.fromEntries(keys.map((key) => [key, readField(key, written)])) as unknown as Choice
  const viewParams = [...written].filter(
    ([name, value]) => /^[a-zA-Z][\w.-]{0,63}$/.test(name) && !known.has(name) && value.length <= longestViewParam,
  )
  const named = page === undefined ? undefined : fields.page.read(page)
  const former = (page ?? written.get('room')) === formerPage
  const place = former ? { page: 'read' as const, chapter: 'all' as const } : { ...(named ? { page: named } : {}) }
  const ofView = read.open.includes(formerView.id) ? { [formerView.param]: 'on' } : {}
  const isFormer = written.size > 0 && !written.has(version.name)
  const ofFigures = isFormer && { ...read, ...place }.page === 'read' ? formerParams : {}
  return {
    ...read,
    chapter: fields.chapter.read(chapter) ?? '1',
    ...place,
    open: [...new Set(read.open.map((id) => (id === formerView.id ? formerView.now : id)))],
    viewParams: { ...ofFigures, ...ofView, ...Object.fromEntries(viewParams.slice(0, mostViewParams)) },
  }
}

/**
 * The link of a fragment, with its '#', that keeps what it does not name as in this choice: text and model, interventions, views and their
 * parameters.
 */
export function completeLink(fragment: string, present: Choice): string {
  const named = decode(fragment)
  const { page, written } = parts(fragment)
  const unnamed = keys.filter((key) => (pathFields.has(key) ? page === undefined : !written.has(fields[key].name)))
  const others = Object.fromEntries(unnamed.map((key) => [key, present[key]])) as Partial<Choice>
  return `#${encode({ ...named, ...others, viewParams: { ...present.viewParams, ...named.viewParams } })}`
}

/** Whether a fragment is a state: it is empty, a path, or names a field. */
export function isState(fragment: string): boolean {
  const { page, written } = parts(fragment)
  return page !== undefined || written.size === 0 || keys.some((key) => written.has(fields[key].name))
}

/** Whether a fragment names a value of this field. */
export function namesField(fragment: string, key: Named): boolean {
  return parts(fragment).written.has(fields[key].name)
}

interface Parts {
  page: string | undefined
  /** Empty where the path has none. */
  chapter: string
  written: URLSearchParams
}

function parts(fragment: string): Parts {
  const { written, ...place } = writtenParts(fragment)
  const step = written.get(lesson.short)
  if (step !== null) {
    written.delete(lesson.short)
    written.set(fields.open.name, lesson.view)
    written.set(lesson.param, step)
    written.set(lesson.answer, '0')
  }
  return { ...place, written }
}

function writtenParts(fragment: string): Parts {
  const plain = fragment.replace(/^#/, '')
  if (!plain.startsWith('/')) return { page: undefined, chapter: '', written: new URLSearchParams(plain) }
  const [path = '', query = ''] = [plain.slice(1).split('?', 1)[0], plain.slice(plain.indexOf('?') + 1 || plain.length)]
  const [page, chapter = ''] = path.split('/')
  return { page, chapter, written: new URLSearchParams(query) }
}

export const defaults: Readonly<Choice> = decode('')

function writeField<Key extends Named>(key: Key, choice: Choice, into: URLSearchParams): void {
  const field = fields[key]
  const written = choice[key] === null ? 'none' : field.write(choice[key])
  const usual = field.default === null ? 'none' : field.write(field.default)
  if (subject.has(key) || written !== usual) into.set(field.name, written)
}

function readField<Key extends Named>(key: Key, from: URLSearchParams): Choice[Key] {
  const field = fields[key]
  const written = from.get(field.name)
  const value = written === null ? undefined : field.read(written)
  return value === undefined ? field.default : value
}

/** The prefix of a model of the hub in a link. */
export const hubPrefix = 'hub:'

/** The prefix of a visitor's own model in a link: whoever opens the link has to have it, too. */
const ownPrefix = 'own:'
/** Any model of the visitor's, in former links. */
const formerOwn = 'own'
/** Of a name in a link. */
const longestName = 200

/** A model in the link; of the hub with its commit, so that a link names the same files everywhere. */
export function modelLink(source: ModelSource): string {
  if (source.kind === 'hub') return `${hubPrefix}${source.name}@${source.revision}`
  return source.kind === 'url' ? source.name : ownPrefix + source.name.slice(0, longestName)
}

/** Whether a link means this model: by any revision, since one of the hub may be linked by its branch. Former links name no folder. */
export function meansModel(link: string, source: ModelSource): boolean {
  if (source.kind === 'hub') return `${link}@`.startsWith(`${hubPrefix}${source.name}@`)
  return link === modelLink(source) || (source.kind === 'files' && link === formerOwn)
}

/** The name of a visitor's own model in a link; former links did not name it. */
export const ownName = (link: string): string => (link.startsWith(ownPrefix) ? link.slice(ownPrefix.length) : link)
