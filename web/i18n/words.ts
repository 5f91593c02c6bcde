export { words, type Words } from './words.svelte'
