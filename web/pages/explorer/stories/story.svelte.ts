// A story: a state of the Explorer with captions, each at what it speaks of. What a caption says is measured on the run on show.
import type { Language } from '../../../i18n/language'
import type { Sentence } from '../../../i18n/rich'
import type { Bench } from '../../../session/bench.svelte'
import { noInterventions, type Interventions } from '../../../session/interventions'
import type { Choice } from '../../../viewstate/choice'
import { examples, type ExampleId } from '../../../viewstate/examples'
import { alike } from '../../../viewstate/steps.svelte'

/** A text in the languages of the page. */
export type ByLanguage<T> = Readonly<Record<Language, T>>

const changes = Object.keys(noInterventions) as (keyof Interventions)[]
/** What captions are true of. */
const measured = ['model', 'text', 'part', 'layer', 'head', 'query', 'key', ...changes] as const
const set = [...measured, 'pair', 'open', 'viewParams'] as const

/** The state that a story sets. */
export type Scene = Pick<Choice, (typeof set)[number]>

interface Caption<S> {
  /** The view that shows what it speaks of; a phone opens that one. Undefined: it is outside of the views. */
  view?: string
  /** The name of the element, as its `data-anchor`. */
  anchor: string
  /** What is other than in the story's scene. */
  scene?: Partial<Scene>
  /** Undefined while it is measured. */
  say: (sources: S) => ByLanguage<Sentence> | undefined
}

export interface Story {
  id: string
  name: ByLanguage<string>
  scene: Scene
  /** Called once, while the story is opened: creates its resources, which follow the bench. */
  sources: (bench: Bench) => unknown
  captions: readonly Caption<unknown>[]
}

/** A story without its types: for the player, which plays all of them. */
export function story<S>(of: Omit<Story, 'sources' | 'captions'> & Sourced<S>): Story {
  return of as unknown as Story
}

interface Sourced<S> {
  sources: (bench: Bench) => S
  captions: readonly Caption<S>[]
}

/** The state of an example: nothing is changed in the model, and views are as they open. */
export function sceneOf(id: ExampleId, model: string, open: readonly string[], more: Partial<Scene> = {}): Scene {
  const { text, layer, head, query, key } = examples.find((example) => example.id === id) ?? examples[0]
  return {
    model,
    text,
    part: 'cross',
    layer,
    head,
    query,
    key,
    pair: null,
    ...noInterventions,
    viewParams: {},
    open,
    ...more,
  }
}

/** The scene of a caption. A phone has room for its view alone. */
export function sceneAt({ scene, captions }: Story, at: number, phone: boolean): Scene {
  const caption = captions[at]
  const there = { ...scene, ...caption?.scene }
  return phone && caption?.view ? { ...there, open: [caption.view] } : there
}

/** Whether a choice is what the captions are true of. */
export const isOf = (scene: Scene, choice: Choice): boolean =>
  measured.every((name) => alike(scene[name], choice[name]))

/** What the visitor has written or loaded in place of the scene's text and model; none: the story goes on. */
export function replaced(scene: Scene, choice: Choice): Partial<Choice> {
  const { model, text, part, layer, head, query, key, pair } = choice
  return {
    ...(text === scene.text ? {} : { text, part, layer, head, query, key, pair }),
    ...(model === scene.model ? {} : { model }),
  }
}

export class Player {
  readonly #bench: Bench
  readonly #phone: () => boolean
  #open: { story: Story; at: number } | undefined = $state.raw()
  /** Undefined while there is none. */
  readonly now: { story: Story; at: number; scene: Scene } | undefined = $derived.by(() => {
    const open = this.#bench.inStory ? this.#open : undefined
    return open && { ...open, scene: sceneAt(open.story, open.at, this.#phone()) }
  })

  constructor(bench: Bench, phone: () => boolean) {
    this.#bench = bench
    this.#phone = phone
  }

  begin(story: Story): void {
    this.#bench.walk.stop()
    this.#show(story, 0)
  }

  /** Shows a later caption, or an earlier one, as far as there are some. */
  turn(by: number): void {
    const { now } = this
    if (now) this.#show(now.story, Math.min(Math.max(now.at + by, 0), now.story.captions.length - 1))
  }

  /** All is as it was before the story. */
  end(): void {
    this.#bench.endStory()
  }

  /** Ends where the visitor has written another text or loaded another model: these stay. */
  follow(): void {
    const { now } = this
    const changed = now ? replaced(now.scene, this.#bench.choice) : {}
    if (Object.keys(changed).length > 0) this.#bench.endStory(changed)
  }

  #show(story: Story, at: number): void {
    this.#open = { story, at }
    this.#bench.walk.stop()
    this.#bench.showStory(sceneAt(story, at, this.#phone()))
  }
}
