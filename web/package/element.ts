// Registers the custom element <rope-attention>.
import { RopeAttention } from './element/ropeAttention.svelte'

declare global {
  interface HTMLElementTagNameMap {
    'rope-attention': RopeAttention
  }
}

if (globalThis.customElements && !customElements.get('rope-attention')) {
  customElements.define('rope-attention', RopeAttention)
}

export { RopeAttention }
