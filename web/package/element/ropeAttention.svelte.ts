// The custom element: attributes, shadow root, and the figure in it.
import { mount, unmount } from 'svelte'
import { load } from '..'
import Attention from './Attention.svelte'
import { names, type Attributes } from './attributes'
import { SharedModels } from './models'
import { sheet } from './sheet'

const models = new SharedModels(load, (work) => setTimeout(work))

// A server that renders pages has no HTMLElement, and can import this module all the same.
const Base = (globalThis.HTMLElement ?? class {}) as { new (): HTMLElement; prototype: HTMLElement }

/**
 * `<rope-attention model="models/roformer-english/" text="…" layer="2" head="6">`: a head's attention map of a text. `model` is a folder's
 * address or `hub:owner/name`; layers, heads and positions count from 0. Also `query` and `key` (the cursor's first cell), `part`, `backend`
 * (auto, gpu, cpu) and `worker` (the address of worker.js).
 */
export class RopeAttention extends Base {
  static readonly observedAttributes: readonly string[] = names
  #attributes: Attributes = $state.raw(attributesOf(this))
  #figure: Record<string, unknown> | undefined

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheet()]
    this.#figure = mount(Attention, { target: root, props: { attributes: () => this.#attributes, models } })
  }

  disconnectedCallback(): void {
    if (this.#figure) void unmount(this.#figure)
    this.#figure = undefined
  }

  attributeChangedCallback(): void {
    this.#attributes = attributesOf(this)
  }
}

const attributesOf = (element: HTMLElement) =>
  Object.fromEntries(names.map((name) => [name, element.getAttribute(name)])) as Attributes
