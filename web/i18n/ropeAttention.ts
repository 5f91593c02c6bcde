// The words of the custom element. Where the page's components ask for words.ts they get these, so that it carries no others (package/element.js).
import { elements } from './en/elements'
import { ropeAttention } from './en/ropeAttention'

export const words = { elements }
export const messages = ropeAttention
