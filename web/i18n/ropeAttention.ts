// The words of the custom element.
import { ropeAttention } from './en/ropeAttention'

export const messages = ropeAttention
