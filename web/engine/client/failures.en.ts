import type { FailureCode, FailureParameters } from '../protocol/failure'
import { messages } from '../../i18n/messages.svelte'
import { integer } from '../../i18n/numbers'

const megabytes = (bytes: number) => `${integer(Math.ceil(bytes / 2 ** 20))} MB`
const bytes = (count: number) => `${integer(count)} bytes`
/** Reasons of the browser and of libraries end without a stop. */
const sentence = (reason: string) => (/[.!?]$/.test(reason) ? reason : `${reason}.`)
const save = 'Save the model with transformers: save_pretrained() writes model.safetensors.'
const noWeights =
  'The folder holds no weights: neither model.safetensors nor a file of PyTorch’s. Open the folder that has them beside config.json.'

/** The engine's fixed phrases in parameters, which other languages translate; a test compares them with the Rust source. */
export type Phrase =
  | 'the weights'
  | 'a copy of the weights'
  | 'the stored matrices'
  | 'the activations'
  | 'an activation'
  | 'an answer'
  | 'the cache'
  | 'the repetition penalty'
  | 'fills'
  | 'an attention map'
  | 'queries'
  | 'keys'
  | '0 or more'
  | 'from 0 (all candidates) to 64'
  | 'above 0 and at most 1'
  | 'from 0 to 1'
  | 'from 1e-20 to 1e20'
  | 'is there twice'
  | 'reaches out of its storage'
  | 'save the model again'
  | 'download the file again'
  | 'save it again with tensor.contiguous(), or the model with save_pretrained()'
  | 'a zip archive without the one data.pkl that PyTorch writes'
  | 'a TorchScript archive, a program with its weights'
  | 'written by a big-endian machine'
  | 'a state dict whose storages are parts of each other'
  | 'a state dict with a tensor that is conjugated or negated'

/** The engine's failures by their codes: what is wrong, and what to do. */
export type Failures = { readonly [C in FailureCode]: (parameters: FailureParameters[C]) => string } & {
  /** The message of a crash without one. */
  noWorker: string
}

const en: Failures = {
  noWorker: 'the worker could not be started',
  wasm: ({ reason }) => sentence(`The engine’s WebAssembly could not be loaded: ${reason}`),
  restarted: () => 'The engine was restarted.',
  'no-engine': () => 'No engine is running: it did not start, or it crashed several times. Restart the engine.',
  'too-many-angles': ({ positions, pairs, limit }) =>
    `${integer(positions)} positions of ${integer(pairs)} pairs have more than ${integer(limit)} angles.`,
  'invalid-distance': ({ distance }) =>
    `Distances cannot be clamped to ${String(distance)}: give a whole number of tokens, 0 or more.`,

  'no-files': () =>
    'No files were opened. Choose a folder that holds config.json, the weights (model.safetensors, or one of PyTorch’s) and tokenizer.json or vocab.txt.',
  'missing-config': () =>
    'config.json is missing: it gives the sizes of the model. Open the whole folder, or choose it together with the weights.',
  'missing-tokenizer': ({ marian }) =>
    marian
      ? 'The folder has Marian’s source.spm, target.spm and vocab.json, which this page does not read. Make tokenizer.json of them with the source code’s training/marian_tokenizer.py, then open the folder again.'
      : 'Neither tokenizer.json nor vocab.txt is there, so text cannot be turned into tokens. Open the folder with one of them in it.',
  'sharded-weights': ({ name }) =>
    `${name} holds a part of the weights, and the list of all parts (model.safetensors.index.json) is missing. Open the whole folder.`,
  'missing-weights': ({ name }) =>
    name === undefined
      ? noWeights
      : `The weights are in ${name}; rename it to model.safetensors and open the folder again.`,
  'missing-file': ({ name, path }) =>
    path === undefined
      ? `${name} is not among the files that were opened.`
      : `${name} was not found at ${path}. Check that it was published with the page.`,
  'fetch-failed': ({ name = 'The part of this page that reads such weights', status, reason = '' }) =>
    status === undefined
      ? `${name} could not be fetched (${reason}). Check the connection and try again.`
      : `${name} could not be fetched: the server answered ${status}.`,
  'read-failed': ({ name, reason }) =>
    `${name} could not be read to its end (${reason}). Try again, or open the files anew.`,
  'file-not-found': ({ path }) => `${path} was not found. A model is a folder with config.json and model.safetensors.`,
  io: ({ path, reason }) => sentence(`${path} could not be read: ${reason}`),
  pickle: () => 'The file of weights is one of PyTorch’s and not safetensors: rename it to pytorch_model.bin.',
  'cut-short': ({ file = 'The file of weights', expected, found }) =>
    `${file} is cut short: ${bytes(expected)} belong to it, ${integer(found)} are there. Download it again.`,
  'malformed-checkpoint': ({ file = 'The file of weights', reason }) =>
    `${file} cannot be read (${reason}). Download it again.`,
  'missing-tensor': ({ name }) =>
    `The weights hold no tensor ${name}, which this architecture needs. Is config.json from the same model?`,
  'wrong-shape': ({ name, expected, found }) =>
    `Tensor ${name} has shape [${found.join(', ')}], but config.json asks for [${expected.join(', ')}]. Is it from the same model?`,
  'unsupported-dtype': ({ name, dtype }) =>
    `Tensor ${name} is stored as ${dtype}. Save the model as float32, float16 or bfloat16 (F32, F16, BF16).`,
  'missing-shard': ({ index, name, others }) =>
    `${name} is not there, though ${index} lists it${others > 0 ? ` (nor are ${integer(others)} others)` : ''}. Open the folder with all of its files.`,
  index: ({ index, reason }) => `${index} is not a readable index of weights (${reason}). Download it again.`,
  'misplaced-tensor': ({ index, tensor, file }) =>
    `${index} says that tensor ${tensor} lies in ${file}, but it is not there. Are both from the same download?`,
  'tensor-twice': ({ tensor, first, second }) =>
    `Tensor ${tensor} is in both ${first} and ${second}. Are they from the same download?`,
  'several-weights': ({ names }) => `Several files may hold the weights (${names}). Open the folder with one of them.`,
  'other-weights': ({ file, what = 'in a format this page does not read' }) => `${file} is ${what}. ${save}`,
  'compressed-weights': ({ file, entry }) =>
    `${file}: its entry ${entry} is compressed, as PyTorch writes none. Save it again with torch.save().`,
  'pickle-call': ({ file, what, under }) =>
    `${file} wants to ${what}${under === null ? '' : ` (under ${under})`}, and nothing but tensors and plain data is read of a pickle: none of it was run. If you trust where it is from, save it again as safetensors; if not, delete it.`,
  tensor: ({ file, tensor, what, remedy }) => `${file}: tensor ${tensor} ${what}. To mend it: ${remedy}.`,
  'no-tensors': ({ file, keys }) =>
    `${file} holds no tensors by name${keys.length === 0 ? '' : `, but ${keys.join(', ')}`}. ${save}`,

  'beyond-format': ({ name, format }) =>
    `${name} holds numbers beyond what ${format} reaches. Keep the weights in another format.`,
  'config-not-json': ({ reason }) => sentence(`config.json is not a JSON object of settings: ${reason}`),
  'config-value': ({ key, found, expected }) => `config.json: ${key} is ${found}, but must be ${expected}.`,
  unsupported: ({ key, found, supported }) =>
    `config.json: ${key} is ${found}, which does not run here. Supported: ${supported}.`,
  'odd-head-size': ({ hidden_size, heads, head_size }) =>
    `config.json: hidden_size ${hidden_size} / num_attention_heads ${heads} gives heads of ${head_size}, an odd size. Rotation needs pairs.`,
  'heads-do-not-divide': ({ hidden_size, heads }) =>
    `config.json: num_attention_heads ${heads} does not divide hidden_size ${hidden_size}.`,
  'key-heads-do-not-divide': ({ heads, key_heads }) =>
    `config.json: num_key_value_heads ${key_heads} does not divide num_attention_heads ${heads}.`,
  'unsupported-rope': ({ found }) =>
    `The rope type “${found}” does not run here. Supported are default, linear, dynamic, yarn, longrope, llama3 and proportional.`,
  'rope-value': ({ key, found, expected }) => `Rope settings: ${key} is ${found}, but must be ${expected}.`,
  'rope-not-finite': () =>
    'The rope’s settings give frequencies that are no numbers. Check rope_theta and the factors.',

  'id-out-of-vocabulary': ({ id, row, position, vocab_size }) =>
    `Id ${id} (row ${row}, position ${position}) is outside the vocabulary of ${integer(vocab_size)}. Was another model’s tokenizer used?`,
  'token-type-out-of-range': ({ id, row, position, type_vocab_size }) =>
    `Token type ${id} (row ${row}, position ${position}) is out of range: the model has types 0 to ${type_vocab_size - 1}.`,
  'text-too-long': ({ length, longest, stretches }) =>
    `The text has ${integer(length)} tokens, more than the ${integer(longest)} that the model is made for. Shorten it${stretches ? ', or ask to go beyond that length' : ''}.`,
  'label-out-of-vocabulary': ({ label, row, vocab_size }) =>
    `Label ${label} of row ${row} is outside the vocabulary of ${integer(vocab_size)}.`,
  'invalid-input': ({ reason }) => sentence(reason),
  'empty-text': () => 'The text is empty: a run needs at least one token.',
  'offset-too-large': ({ offset, largest }) =>
    `The position offset ${integer(offset)} is above ${integer(largest)}, where angles are no longer exact. Choose a smaller one.`,
  'source-missing': ({ architecture }) => `${architecture} is an encoder–decoder. Give a source text, too.`,
  'source-unexpected': ({ architecture }) => `${architecture} reads no source. Give the text alone.`,
  'not-causal': ({ architecture }) =>
    `${architecture} is not causal and writes no text on. Choose a causal language model.`,
  'no-part': ({ architecture, part }) => `${architecture} has no ${part}: it is not an encoder–decoder.`,
  'head-out-of-range': ({ layer, head, layers, heads }) =>
    `There is no layer ${layer}, head ${head}: layers are 0 to ${layers - 1}, heads 0 to ${heads - 1}.`,
  'no-rotation': ({ architecture }) =>
    `${architecture} does not rotate queries and keys, so this change does not apply to it.`,
  'log-n': ({ n }) => `The n of log-n is ${n}, but must be a length above 1.`,
  'clamped-pairs': () => 'Distances cannot be clamped while pairs are frozen or ablated. Choose one of them.',
  'no-softmax': () =>
    'log-n and clamped distances change the scores of a softmax, and linear attention has none. Run it without them.',
  'setting-of-roformer': ({ setting, architecture }) =>
    `${setting} is a setting of RoFormer alone, and this is ${architecture}. Run it without.`,
  'positions-from-table': () =>
    'Positions are added to the embeddings from a table: they cannot be shifted. Run the text without an offset.',
  'trial-size': ({ longest, largest }) =>
    `This size cannot be timed. Give up to ${integer(longest)} tokens, and an even head size up to ${integer(largest)}.`,
  'trial-too-large': ({ length, head_size, needed, limit }) =>
    `Stored matrices of ${integer(length)} tokens and a head size of ${integer(head_size)} take ${megabytes(needed)}, more than the limit of ${megabytes(limit)}. Give fewer tokens or smaller heads.`,
  'no-mask': ({ mask_token }) => `The text has no ${mask_token}. Put ${mask_token} where a word is to be predicted.`,
  'no-vocabulary-head': ({ architecture }) =>
    `${architecture} has no vocabulary head and predicts no tokens. Choose a masked or causal language model.`,
  tokenizer: ({ path, reason }) => sentence(`${path}: ${reason}`),
  'sampling-setting': ({ key, found, expected }) => `${key} is ${found}, but must be ${expected}.`,
  'no-candidates': ({ reason }) => `No next token can be drawn: ${reason}. Are the weights whole?`,
  cancelled: () => 'Loading was cancelled.',
  stale: () => 'The engine no longer holds this result. Run the text again.',
  busy: () => 'The engine is busy. Wait until it has finished, then try again.',

  'no-model': () => 'No model is loaded yet.',
  'nothing-to-continue': () => 'There is no run to continue. Run the text first.',
  'no-heads': () => 'This run kept no heads. Run the text again.',
  'no-contact-head': () =>
    'The model’s file has no contact head, which predicts contacts from attention. Choose an ESM-2 that has one.',
  'rotation-before-feature-map': () =>
    'This attention rotates before its feature map, so the rotation cannot be undone. Choose linear attention.',
  'changed-pairs': () =>
    'Pairs were frozen or ablated in this run, so its rotation cannot be undone. Run the text without that change.',
  'rotated-values': () =>
    'While values rotate, the norm of a value behind the output projection is not defined. Run the text without rotated values.',
  'comparison-too-large': ({ needed, limit }) =>
    `All maps and logits of this run take ${megabytes(needed)}, more than the limit of ${megabytes(limit)}. Shorten the text.`,
  'rollout-too-long': ({ longest, batch, length }) =>
    `A rollout is of one text of at most ${integer(longest)} tokens, not of ${integer(batch)} of ${integer(length)}. Shorten it.`,

  'no-adapter': ({ reason }) => `No WebGPU adapter: ${reason}. Install a graphics driver, or choose the CPU.`,
  'device-refused': ({ reason }) => `The GPU gave no device: ${reason}. Choose the CPU, or try again.`,
  'self-check': ({ adapter, what }) =>
    `${adapter} computes ${what} that differ from the CPU’s. Choose the CPU, and please report this.`,
  'device-lost': ({ reason }) =>
    reason === undefined ? 'The GPU was lost while the model was loading.' : sentence(`The GPU was lost: ${reason}`),
  'out-of-memory': ({ what, needed, limit }) =>
    `${what} needs ${bytes(needed)}, more than the ${integer(limit)} there are. Shorten the text, or choose the CPU.`,
  'device-memory': ({ what, needed }) =>
    `The GPU has no room for ${what} (${bytes(needed)}). Choose the CPU, a shorter text or a smaller model.`,
  'memory-refused': ({ what, needed }) =>
    `${what} needs ${bytes(needed)} of memory, which this machine does not give. Shorten the text, or choose a smaller model.`,
  'too-many-maps': ({ needed, limit }) =>
    `One head’s map of this text takes ${megabytes(needed)}, more than the ${megabytes(limit)} that are read back. Shorten the text.`,
  'file-too-large': ({ needed, limit }) =>
    `All taps of this text take ${megabytes(needed)}, more than the ${megabytes(limit)} of a file that is made here. Shorten the text, or let the command line write it.`,
  'row-too-large': ({ name, bytes: needed, limit }) =>
    `A row of ${name} takes ${bytes(needed)}, more than this GPU takes at once (${integer(limit)}). Choose the CPU.`,
  gpu: ({ reason }) => `The GPU reported an error: ${reason}. Choose the CPU, and please report this.`,
  'shape-mismatch': ({ op, message }) => sentence(`${op}: ${message}`),
}

export const t = messages(en, import.meta.glob('./failures.{ko,hu}.ts'))
