// The words of what reads texts: apart from the page's, which others that read texts need not carry.
import { tokenizers } from './en/tokenizers'

export const said = { tokenizers }
