import { messages } from '../../i18n/messages.svelte'
import { code, key, link, linkToEnglish, query, sentence, type Sentence } from '../../i18n/rich'

/** A section with paragraphs or a list. */
export interface Section {
  title: string
  paragraphs?: readonly Sentence[]
  list?: readonly Sentence[]
}

export type Sections = Readonly<
  Record<'what' | 'privacy' | 'source' | 'embed' | 'sources' | 'cite' | 'licence', Section>
>

const sections: Sections = {
  what: {
    title: 'What this is',
    paragraphs: [
      sentence`ropescope runs real transformers with rotary position embedding, RoPE, in your browser: RoFormer, where it began, and Llama, Mistral, Qwen2, Qwen3, Gemma 3, GPT-NeoX, ModernBERT and ESM-2. It also runs encoder–decoders that add positions instead (Marian, BART, Pegasus). It shows what happens inside: which tokens each head attends to, why, and how much of that is rotation. The engine is written in Rust, compiled to WebAssembly, and computes on your GPU through WebGPU where there is one, else on the CPU. Both compute the same numbers.`,
      sentence`Layers, heads, positions and frequency pairs count from 0, and ${code('[CLS]')} is position 0. ${query('Query is blue')}, ${key('key is orange')}, everywhere.`,
    ],
  },
  privacy: {
    title: 'Privacy',
    paragraphs: [
      sentence`There is no server behind this page: it is a set of files. Your text and your model are read and computed on this machine and are sent nowhere. The page asks no other site for anything unless you ask it to fetch a model from the hub. Then huggingface.co and the hosts to which it sends downloads on learn which model you fetch, and your network address. They learn nothing of what you do with it. The page’s own security policy forbids it to contact any other site; no account, token or cookie is ever sent. What you choose – model, text, head, tokens, what is changed in the model – is kept in the address after the ${code('#')}, a part that browsers never send, so that a link restores it. Whoever gets the link can read the text in it.`,
      sentence`This browser remembers the theme, the language and the backend you chose, and which graphics adapters compute correctly. The page and the bundled models that you used are kept for use without a network; the engine’s menu says how much that is, and removes it. Models that you fetched from the hub are kept, too, until you delete them under Models; the page asks the browser once not to delete them by itself. Nothing else is stored: no text, and no model from your own files.`,
    ],
  },
  source: {
    title: 'Source code and command line',
    paragraphs: [
      sentence`The same engine runs natively, on Vulkan, Metal or DirectX 12, or on the CPU: ${code('cargo install --path . --locked')} in the folder of the source code makes the program ${code('ropescope')}. Each view gives the command that computes its numbers, under ${code('more')}; ${code('ropescope run')} writes any of a model’s activations as safetensors, under Hugging Face’s names.`,
    ],
  },
  embed: {
    title: 'On a page of your own',
    paragraphs: [
      sentence`${code('Embed')}, at the title of each view of the Explorer, gives the code for the current head on another page: as an element, ${code('<rope-attention>')}, and as a few lines of JavaScript, with their sizes and limits. Both are of the same package, whose files are in the folder ${code('embed')} of this page. It runs a model in the visitor’s browser, or in Node, and needs no other code.`,
    ],
  },
  sources: {
    title: 'Sources',
    list: [
      sentence`Jianlin Su, Yu Lu, Shengfeng Pan, Ahmed Murtadha, Bo Wen, Yunfeng Liu: ${link('RoFormer: Enhanced Transformer with Rotary Position Embedding', 'https://arxiv.org/abs/2104.09864')}, 2021. Equations are numbered as there.`,
      sentence`Jianlin Su’s ${link('article on rotary position embedding', 'https://kexue.fm/archives/8265')} (in Chinese), with the code of the paper’s figure 2.`,
      sentence`Hugging Face’s ${link('models in transformers', 'https://github.com/huggingface/transformers/tree/main/src/transformers/models')}, whose numbers this page’s engine is tested against, and whose words for the parts of a model it uses.`,
      sentence`Federico Barbero and others: ${link('Round and Round We Go! What makes Rotary Positional Encodings useful?', 'https://arxiv.org/abs/2410.06205')}, 2024: fast pairs build positional heads, slow ones, they suspect, carry meaning.`,
      sentence`Pengcheng He and others: ${link('DeBERTa', 'https://arxiv.org/abs/2006.03654')}, 2020, from whose observation on “deep” and “learning”, near and far, two of the examples come.`,
    ],
  },
  cite: {
    title: 'How to cite',
    paragraphs: [
      sentence`If ropescope helped your work, cite it with its version; cite RoFormer, above, for the method. The file ${code('CITATION.cff')} in the source code says the same.`,
    ],
  },
  licence: {
    title: 'Licence',
    paragraphs: [
      sentence`ropescope is free software under the MIT licence or the Apache licence 2.0, as you prefer. Formulas are drawn in a part of STIX Two Math, under the SIL Open Font License. The bundled models were trained on books in the public domain; their own pages in the models folder say how.`,
    ],
  },
}

const en = {
  title: 'About',
  sections,
  /** An entry of the list of references. */
  cited: ({ authors, title, version }: { authors: string; title: string; version: string }): Sentence | string =>
    `${authors}: ${title}. Version ${version}. Computer software.`,
  /** The archive of the source that the page was built from, if the build knew its commit. */
  archive: (file: string): Sentence =>
    sentence`The source code of this page: ${link(file, file)}, without the models, which the page has as separate files, and without the tests’ reference values.`,
  docs: (href: string): Sentence =>
    sentence`The ${linkToEnglish('documentation', href)} says how to use the page, the command line and the package, what each field of a link means, and how all of it works.`,
  /** The repository, if the build knew its address. */
  repository: (href: string): Sentence => sentence`The source code: ${link(href.replace(/^https:\/\//, ''), href)}.`,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
