import type * as engine from '../protocol/failure'
import type { PartName } from '../protocol/parts'
import { messages } from '../../i18n/messages.svelte'
import { integer, plural } from '../../i18n/numbers'
import { hexadecimal, megabytes, numeral, withStop, wordsOf, type Failures, type Words } from './failureWords'

const bytes = (count: number) => `${integer(count)} ${plural(count, { one: 'byte', other: 'bytes' })}`
const save = 'Save the model with transformers: save_pretrained() writes model.safetensors.'
const rename = 'Rename it to pytorch_model.bin.'
const download = 'Download it again.'

const allocations: Readonly<Record<engine.Allocation, string>> = {
  weights: 'the weights',
  'weights-copy': 'a copy of the weights',
  'rotation-matrices': 'the stored matrices',
  activations: 'the activations',
  activation: 'an activation',
  results: 'a result',
  cache: 'the KV cache',
  'repetition-penalty': 'the repetition penalty',
}

const checks: Readonly<Record<engine.SelfCheckResult, string>> = {
  fills: 'fills',
  'attention-map': 'an attention map',
  queries: 'queries',
  keys: 'keys',
}

const lists: Readonly<Record<engine.InputList, string>> = {
  ids: 'ids',
  'attention-mask': 'numbers of the attention mask',
  'token-types': 'token types',
  'position-ids': 'position ids',
  labels: 'labels',
  bans: 'lists of banned ids',
  draws: 'random numbers',
  sources: 'sources',
}

const jsonTexts: Readonly<Record<engine.JsonText, string>> = {
  'rope-scaling': 'The RoPE scaling',
  'sampling-settings': 'The text of the sampling settings',
}

const jsonDefects: Words<engine.JsonDefect> = {
  syntax: ({ line, column }) => `its syntax is wrong at line ${line}, column ${column}`,
  'end-of-text': ({ line, column }) => `it ends too early, at line ${line}, column ${column}`,
  'wrong-value': ({ line, column }) => `a value is missing or wrong, at line ${line}, column ${column}`,
  'duplicate-key': ({ key, line, column }) =>
    `the key ${key} occurs twice, the second time at line ${line}, column ${column}`,
  'too-large': () => 'it is too large',
}

const findings: Words<engine.Found> = {
  missing: () => 'missing',
  list: ({ length }) => `a list of ${integer(length)}`,
  object: () => 'an object',
  key: ({ key }) => `an object with the key ${key}`,
  'too-large': () => 'too large',
  value: ({ value }) => value,
}

const conditions: Words<engine.Condition> = {
  setting: ({ key, value }) => ` where ${key} is ${value}`,
  'sliding-layers': () => ' in layers with a sliding window',
}

const parts: Readonly<Record<PartName, string>> = {
  encoder: 'the encoder',
  decoder: 'the decoder',
  cross: 'the cross-attention',
}

const expectations: Words<engine.Expected> = {
  number: () => 'a number',
  'number-from': ({ least }) => `${numeral(least)} or more`,
  'number-above': ({ bound }) => `a number above ${numeral(bound)}`,
  'number-between': ({ least, most }) => `a number from ${numeral(least)} to ${numeral(most)}`,
  'number-above-up-to': ({ bound, most }) => `above ${numeral(bound)} and at most ${numeral(most)}`,
  'more-than': ({ key }) => `more than ${key}`,
  'integer-between': ({ least, most }) => `a whole number from ${integer(least)} to ${integer(most)}`,
  'even-number-between': ({ least, most }) => `an even number from ${integer(least)} to ${integer(most)}`,
  'even-number': () => 'an even number',
  'even-share': ({ dimensions }) => `the share of an even number of dimensions, not of ${integer(dimensions)}`,
  'other-than-one': () => 'a number other than 1, because yarn tells fast pairs from slow ones',
  flag: () => 'true or false',
  text: () => 'a text',
  'text-list': () => 'a list of names',
  'id-list': () => 'a list of ids',
  'id-lists': () => 'a list of lists of ids',
  ids: ({ most }) => `a whole number from 0 to ${integer(most)}, or a list of such`,
  'mask-token-id': () => 'the mask token’s id, which token_dropout needs',
  object: () => 'an object of settings',
  'object-with-object': ({ key }) => `an object with an object under ${key}`,
  'label-names': ({ most }) => `an object from numbers to the names of labels, ${integer(most)} at most`,
  'label-numbers': ({ last }) => `an object whose keys are the label numbers 0 to ${integer(last)}, each once`,
  'entry-for-each-layer': () => 'a list with an entry for each layer',
  'factor-for-each-pair': () => 'a list with a number above 0 for each pair that rotates',
  'one-for-each-pair': ({ pairs }) => `a list of ${integer(pairs)}, one for each pair that rotates`,
  'setting-of-one-rope': () => 'a setting of one rope, not an object for each layer type',
  'paired-columns': ({ before, after }) =>
    `one that pairs ${integer(before)} columns of a head, as the model’s own, not ${integer(after)}`,
}

const forms: Words<engine.FileForm> = {
  unknown: () => 'neither safetensors nor an archive or a stream of PyTorch’s',
  'zip-without-pickle': () => 'a zip archive without the one data.pkl that PyTorch writes',
  'misnamed-pickle': () => 'one of PyTorch’s files under a name of safetensors',
  'torch-script': () => 'a TorchScript archive, a program with its weights',
  'big-endian': () => 'written by a big-endian machine',
  'overlapping-storages': () => 'a state dict whose storages are parts of each other',
  'conjugated-tensor': () => 'a state dict with a tensor that is conjugated or negated',
  'pickle-protocol': ({ protocol }) => `a pickle of protocol ${protocol}`,
  'pickle-opcode': ({ opcode, at }) => `a pickle with the opcode ${hexadecimal(opcode)} (at byte ${integer(at)})`,
  'encrypted-entry': ({ entry }) => `an archive whose entry ${entry} is encrypted`,
}

const actions: Words<engine.PickleAction> = {
  'use-name': ({ name }) => `use ${name}`,
  'make-sparse-tensor': ({ name }) => `make a sparse tensor (${name})`,
  'make-quantised-tensor': ({ name }) => `make a quantised tensor (${name})`,
  'make-object': ({ name }) => `make an object of ${name}`,
  'make-object-by-opcode': ({ opcode }) => `make an object of a class of its own (opcode ${hexadecimal(opcode)})`,
  'use-extension': () => 'use a class by its number in a registry',
  'call-dtype': ({ dtype }) => `call a type of numbers (${dtype})`,
  'call-non-class': () => 'call what is no class',
  'set-state': () => 'set the state of an object (BUILD)',
}

const defects: Words<engine.TensorDefect> = {
  'same-name-twice': () => 'occurs twice. Save the model again.',
  'outside-storage': () => 'reaches out of its storage. Download the file again.',
  'other-order': ({ shape, strides }) =>
    `has its numbers in another order than its shape ${shape} (strides ${strides}). Save it again with tensor.contiguous(), or the model with save_pretrained().`,
}

const fileDefects: Words<engine.FileDefect> = {
  'no-header': () => 'it does not begin with a header of safetensors',
  'header-not-json': ({ defect }) => `its header is no JSON of tensors: ${wordsOf(jsonDefects, defect)}`,
  'tensor-type': ({ tensor }) => `the dtype of ${tensor} names no type`,
  'tensor-place': ({ tensor }) => `the bytes of ${tensor} overlap others, leave a gap or end before they start`,
  'tensor-size': ({ tensor, bytes: count, shape, dtype }) =>
    `${tensor} has ${bytes(count)}, which is not what shape [${shape.join(', ')}] in ${dtype} takes`,
  'reserved-name': () => 'a tensor is called __metadata__, a name that safetensors reserves',
  'trailing-bytes': ({ bytes: count }) => `at least ${bytes(count)} at its end are of no tensor`,
  'too-large': () => 'it describes more than a file of weights holds',
  'shared-numbers': ({ most }) => `its tensors share their numbers and come to over ${integer(most)} times the file`,
  'broken-pickle': () => 'its pickle is cut short, or is not as PyTorch writes it',
  'zip-directory': () => 'the directory of its archive is missing or broken',
  'zip-entry': ({ entry }) => `its entry ${entry} overlaps others or is not as long as the directory says`,
  twice: ({ name }) => `${name} occurs twice`,
  'missing-storage': ({ storage }) => `its storage ${storage} is missing`,
  'storage-length': ({ storage }) => `its storage ${storage} has another length than it says`,
  'storage-without-tensor': ({ storage }) => `its storage ${storage} belongs to no tensor`,
}

const indexDefects: Words<engine.IndexDefect> = {
  'not-json': ({ defect }) => `it is no JSON: ${wordsOf(jsonDefects, defect)}`,
  'too-large': () => 'it lists more tensors than any model has',
  'no-weight-map': () => 'it lists no tensors in weight_map',
  'other-name': ({ name }) => `${name} is not the name of a file of weights beside it`,
}

const en: Failures = {
  noWorker: 'the worker could not be started',
  unworded: (code) => `The engine said “${code}”. Engine and page are of different versions: reload the page.`,
  wasm: ({ reason }) => withStop(`The engine’s WebAssembly could not be loaded: ${reason}`),
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
      : 'Both tokenizer.json and vocab.txt are missing, so text cannot be turned into tokens. Open the folder with one of them in it.',
  'sharded-weights': ({ name }) =>
    `${name} holds a part of the weights, and the list of all parts (model.safetensors.index.json) is missing. Open the whole folder.`,
  'missing-weights': ({ name }) =>
    name === undefined
      ? 'The folder holds no weights: neither model.safetensors nor a file of PyTorch’s. Open the folder that has them beside config.json.'
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
    `${name} could not be read completely (${reason}). Try again, or open the files again.`,
  pickle: () => `The file of weights is one of PyTorch’s and not safetensors. ${rename}`,
  truncated: ({ file = 'The file of weights', expected, found }) =>
    `${file} is cut short: it has ${integer(found)} of ${bytes(expected)}. ${download}`,
  'malformed-checkpoint': ({ file = 'The file of weights', defect }) =>
    `${file} cannot be read (${wordsOf(fileDefects, defect)}). ${defect.kind === 'shared-numbers' ? save : download}`,
  'missing-tensor': ({ name }) =>
    `The weights hold no tensor ${name}, which this architecture needs. Is config.json from the same model?`,
  'wrong-shape': ({ name, expected, found }) =>
    `Tensor ${name} has shape [${found.join(', ')}], but config.json asks for [${expected.join(', ')}]. Is it from the same model?`,
  'unsupported-dtype': ({ name, dtype }) =>
    `Tensor ${name} is stored as ${dtype}. Save the model as float32, float16 or bfloat16 (F32, F16, BF16).`,
  'missing-shard': ({ index, name, others }) =>
    `${name} is missing, though ${index} lists it${others > 0 ? ` (so are ${integer(others)} others)` : ''}. Open the folder with all of its files.`,
  'invalid-index': ({ index, defect }) =>
    `${index} is not a readable index of weights (${wordsOf(indexDefects, defect)}). ${download}`,
  'misplaced-tensor': ({ index, tensor, file }) =>
    `${index} says that tensor ${tensor} is in ${file}, but that file does not have it. Are both from the same download?`,
  'tensor-twice': ({ tensor, first, second }) =>
    `Tensor ${tensor} is in both ${first} and ${second}. Are they from the same download?`,
  'several-weights': ({ names }) => `Several files may hold the weights (${names}). Open the folder with one of them.`,
  'other-weights': ({ file, what }) =>
    `This page does not read ${file}: it is ${wordsOf(forms, what)}. ${what.kind === 'misnamed-pickle' ? rename : save}`,
  'compressed-weights': ({ file, entry }) =>
    `${file}: its entry ${entry} is compressed, and PyTorch writes no compressed entries. Save it again with torch.save().`,
  'pickle-call': ({ file, what, under }) =>
    `${file} wants to ${wordsOf(actions, what)}${under === null ? '' : ` (under ${under})`}, but this page reads only tensors and plain data from a pickle and ran nothing. If you trust its source, save it again as safetensors; if not, delete it.`,
  'invalid-tensor': ({ file, tensor, defect }) => `${file}: tensor ${tensor} ${wordsOf(defects, defect)}`,
  'no-tensors': ({ file, keys }) =>
    `${file} holds no tensors by name${keys.length === 0 ? '' : `, but ${keys.join(', ')}`}. ${save}`,
  'beyond-format': ({ name, format }) =>
    `${name} holds numbers beyond what ${format} reaches. Keep the weights in another format.`,
  'config-not-json': ({ defect }) => `config.json is not a JSON object of settings: ${wordsOf(jsonDefects, defect)}.`,
  'invalid-config-value': ({ key, found, expected }) =>
    `config.json: ${key} is ${wordsOf(findings, found)}, but must be ${wordsOf(expectations, expected)}.`,
  unsupported: ({ key, found, condition, supported }) =>
    `config.json: ${key} is ${wordsOf(findings, found)}, which does not run here${condition === null ? '' : wordsOf(conditions, condition)}. Supported: ${supported}.`,
  'odd-head-size': ({ hidden_size, heads, head_size }) =>
    `config.json: hidden_size ${hidden_size} / num_attention_heads ${heads} gives heads of ${head_size}, an odd size. Rotation needs pairs.`,
  'heads-do-not-divide': ({ hidden_size, heads }) =>
    `config.json: num_attention_heads ${heads} does not divide hidden_size ${hidden_size}.`,
  'key-heads-do-not-divide': ({ heads, key_heads }) =>
    `config.json: num_key_value_heads ${key_heads} does not divide num_attention_heads ${heads}.`,
  'unsupported-rope': ({ found }) =>
    `The RoPE type “${found}” does not run here. Supported are default, linear, dynamic, yarn, longrope, llama3 and proportional.`,
  'invalid-rope-value': ({ key, found, expected }) =>
    `RoPE settings: ${key} is ${wordsOf(findings, found)}, but must be ${wordsOf(expectations, expected)}.`,
  'rope-not-finite': () => 'The RoPE settings give frequencies that are not numbers. Check rope_theta and factors.',

  'id-out-of-vocabulary': ({ id, row, position, vocab_size }) =>
    `Id ${id} (row ${row}, position ${position}) is outside the vocabulary of ${integer(vocab_size)}. Was another model’s tokenizer used?`,
  'token-type-out-of-range': ({ id, row, position, type_vocab_size }) =>
    `Token type ${id} (row ${row}, position ${position}) is out of range: the model has types 0 to ${type_vocab_size - 1}.`,
  'text-too-long': ({ length, longest, stretches }) =>
    `The text has ${integer(length)} tokens, more than the ${integer(longest)} that the model can read. Shorten it${stretches ? ', or ask to go beyond that length' : ''}.`,
  'label-out-of-vocabulary': ({ label, row, vocab_size }) =>
    `Label ${label} of row ${row} is outside the vocabulary of ${integer(vocab_size)}.`,
  'wrong-count': ({ list, found, expected }) =>
    `There are ${integer(found)} ${lists[list]}, but the run needs ${integer(expected)}.`,
  'invalid-mask': ({ row, position }) =>
    `The attention mask is neither 0 nor 1 in row ${row}, position ${position}. Give 1 for a token and 0 for padding.`,
  'only-padding': ({ row }) => `Row ${row} of the texts has only padding. Give it a token.`,
  'position-out-of-range': ({ id, length }) =>
    `Position id ${id} is not below the length ${integer(length)}. Count positions from 0.`,
  'row-out-of-range': ({ row, tokens }) =>
    `Prediction row ${row} is outside the ${integer(tokens)} tokens. Count rows from 0.`,
  'top-k-out-of-range': ({ top_k, most }) =>
    `top-k is ${integer(top_k)}, but must be from 1 to ${integer(most)}: the number of predictions of a row.`,
  'no-labels': () => 'There is no label. A loss needs one label at least.',
  'no-texts': () => 'There is no text: a run needs one at least.',
  'empty-text': () => 'The text is empty: a run needs at least one token.',
  'offset-too-large': ({ offset, largest }) =>
    `The position offset ${integer(offset)} is above ${integer(largest)}, where angles are no longer exact. Choose a smaller one.`,
  'source-missing': ({ architecture }) => `${architecture} is an encoder–decoder. Give a source text, too.`,
  'source-unexpected': ({ architecture }) => `${architecture} reads no source. Give the text alone.`,
  'not-causal': ({ architecture }) =>
    `${architecture} is not causal and cannot continue a text. Choose a causal language model.`,
  'no-part': ({ architecture, part }) =>
    `${architecture} has no part like ${parts[part]}: it is not an encoder–decoder.`,
  'head-out-of-range': ({ part, layer, head, layers, heads }) =>
    `There is no layer ${layer}, head ${head} in ${parts[part]}: layers are 0 to ${layers - 1}, heads 0 to ${heads - 1}.`,
  'no-rotation': ({ architecture }) =>
    `${architecture} does not rotate queries and keys, so this change does not apply to it.`,
  'invalid-intervention': ({ text }) =>
    `“${text}” is not an intervention. Give a site and zero, mean, frozen, rotated, log-n:N, clamp:W or a finite number, as layer.2.head[6,*,*]=zero.`,
  'wrong-replacement': ({ site, numbers }) =>
    `${site} does not take this replacement. frozen and zero go to layer.N.query.rotated[head,*,pairs], zero and mean to layer.N.head[head,row,*], rotated to layer.*.value, log-n to layer.*.query.rotated, clamp to layer.*.score, finite numbers and zero to ${numbers}.`,
  'pairs-out-of-range': ({ first, last, pairs }) =>
    `Pairs ${first} to ${last} are no range. Give the first pair and then the last, below ${pairs}.`,
  'unknown-site': ({ text }) =>
    `“${text}” is not a site. Name a tensor of the forward pass, as layer.2.query or attentions.0.`,
  'invalid-site-index': ({ text, axes }) =>
    `“${text}” is not a site. Its index has ${axes} entries, each a number, *, or pairs as p0-3.`,
  'site-out-of-range': ({ site, layers }) => `There is no ${site}: the model has ${layers} layers.`,
  'site-row-out-of-range': ({ site, length }) =>
    `There is no ${site}: the text has ${length} tokens. Count rows from 0.`,
  'no-such-tensor': ({ site }) =>
    `This model computes no ${site}: not every model has each norm and its mean, a gate, a softmax, embeddings of positions and types, or logits and probabilities of each token.`,
  'unsupported-tap': ({ site, taps }) => `${site} is not a tensor that a run keeps. It keeps whole tensors: ${taps}.`,
  'invalid-log-n': ({ n }) => `The n of log-n is ${n}, but must be a length above 1.`,
  'clamped-distances-with-changed-pairs': () =>
    'Distances cannot be clamped while pairs are frozen or ablated. Choose one of them.',
  'no-softmax': () =>
    'log-n and clamped distances change the scores of a softmax, and linear attention has none. Run it without them.',
  'setting-of-roformer': ({ setting, architecture }) =>
    `${setting} is a setting of RoFormer alone, and this is ${architecture}. Run it without.`,
  'positions-from-table': () =>
    'Positions are added to the embeddings from a table: they cannot be shifted. Run the text without an offset.',
  'trial-size-out-of-range': ({ longest, largest }) =>
    `This size cannot be timed. Give up to ${integer(longest)} tokens, and an even head size up to ${integer(largest)}.`,
  'trial-too-large': ({ length, head_size, needed, limit }) =>
    `Stored matrices of ${integer(length)} tokens and a head size of ${integer(head_size)} take ${megabytes(needed)}, more than the limit of ${megabytes(limit)}. Give fewer tokens or smaller heads.`,
  'no-variants': () =>
    'This model was not read from files, so it has no config.json for a variant. Load it from its files.',
  'weights-not-loaded': () =>
    'These settings need weights that the model was not loaded with. Load it with these settings.',
  'invalid-json': ({ text, defect }) => `${jsonTexts[text]} is no JSON: ${wordsOf(jsonDefects, defect)}.`,
  'no-room-for-tokens': ({ max_length, prompt }) =>
    `A text of at most ${integer(max_length)} tokens leaves no room after the ${integer(prompt)} that it begins with. Allow a longer one.`,
  'text-ended': () => 'The text has ended. Nothing can be written after its end.',
  'no-mask': ({ mask_token }) => `The text has no ${mask_token}. Put ${mask_token} where a word is to be predicted.`,
  'no-vocabulary-head': ({ architecture }) =>
    `${architecture} has no output head for the vocabulary, so it predicts no tokens. Choose a masked or causal language model.`,
  'invalid-sampling-setting': ({ key, found, expected }) =>
    `${key} is ${wordsOf(findings, found)}, but must be ${wordsOf(expectations, expected)}.`,
  'no-candidates': () => 'No next token is left: the rules for the text refuse every one. Allow some.',
  'logits-not-finite': () =>
    'No next token can be drawn, because the logits are not finite numbers. Is the file of weights complete?',
  cancelled: () => 'Loading was cancelled.',
  stale: () => 'The engine no longer holds this result. Run the text again.',
  busy: () => 'The engine is busy. Wait until it has finished, then try again.',

  'no-model': () => 'No model is loaded yet.',
  'nothing-to-continue': () => 'There is no run to continue. Run the text first.',
  'no-heads': () => 'The heads of this run are no longer available. Run the text again.',
  'no-contact-head': () =>
    'The model’s file has no contact head, which predicts contacts from attention. Choose an ESM-2 that has one.',
  'rotation-before-feature-map': () =>
    'This attention rotates before its feature map, so the rotation cannot be undone. Choose linear attention.',
  'rotation-of-changed-pairs': () =>
    'Pairs were frozen or ablated in this run, so its rotation cannot be undone. Run the text without that change.',
  'no-norm-of-rotated-values': () =>
    'While values rotate, the norm of a value after the output projection is not defined. Run the text without rotated values.',
  'comparison-too-large': ({ needed, limit }) =>
    `All maps and logits of this run take ${megabytes(needed)}, more than the limit of ${megabytes(limit)}. Shorten the text.`,
  'different-shapes': ({ name, before, now }) =>
    `${name} is of [${before.join(', ')}] in one run and of [${now.join(', ')}] in the other. Compare runs of one size.`,
  'layers-out-of-range': ({ part, first, last, layers }) =>
    `There are no layers ${first} to ${last} in ${parts[part]}: layers are 0 to ${layers - 1}.`,
  'mean-of-no-head': () => 'A mean map needs at least one head. Choose one.',
  'mean-of-several-parts': () => 'A mean map takes heads of one part only. Choose the heads of each part separately.',
  'rollout-of-cross-attention': () =>
    'A rollout follows attention of a text to itself, not cross-attention. Choose the encoder or the decoder.',
  'norms-of-several-texts': ({ batch }) =>
    `Norms are computed for one text, not for ${integer(batch)}. Run one text alone.`,
  'no-picture': () => 'There is no picture before a run. Run a text first.',
  'no-gpu-painter': () => 'The CPU has no GPU painter. Choose the CPU’s.',
  'unknown-name': ({ enumeration, names }) => `There is no such ${enumeration}. It has: ${names}.`,
  'rollout-too-long': ({ longest, batch, length }) =>
    `A rollout needs one text of at most ${integer(longest)} tokens, not ${integer(batch)} of ${integer(length)}. Shorten the text.`,

  'site-of-many-numbers': ({ site, axes }) =>
    `${site} names many numbers. Give one index for each axis: [${axes}], counted from 0.`,
  'site-index-out-of-range': ({ site, axis, size }) =>
    `There is no ${site}. Its ${axis} must be below ${integer(size)}.`,
  'not-explained': ({ site }) => `The numbers of ${site} have no explanation. Choose those of another tensor.`,
  'explains-one-text': ({ texts }) => `Numbers of one text are explained, not of ${integer(texts)}. Give one text.`,
  'explanation-too-large': () => 'An explanation of this depth has too many numbers. Ask for less depth.',
  'explains-no-interventions': () =>
    'Numbers have an explanation only if all changes put numbers or switch neurons off, and logits have terms only if none changes the residual stream. Undo the others.',

  'no-adapter': ({ reason }) => `No WebGPU adapter: ${reason}. Install a graphics driver, or choose the CPU.`,
  'software-adapter': ({ adapter }) =>
    `${adapter} is a software adapter, which is slower than the CPU. Choose the CPU.`,
  'no-f16': ({ device }) => `${device} has no 16-bit floats (shader-f16) for keys and values. Leave the cache as f32.`,
  'device-refused': ({ reason }) => `The GPU provided no device: ${reason}. Choose the CPU, or try again.`,
  'self-check-failed': ({ adapter, what }) =>
    `${adapter} computes ${checks[what]} that differ from the CPU’s. Choose the CPU, and please report this.`,
  'device-lost': ({ reason }) =>
    reason === undefined ? 'The GPU was lost while the model was loading.' : withStop(`The GPU was lost: ${reason}`),
  'out-of-memory': ({ what, needed, limit }) =>
    `There is no room for ${allocations[what]}: ${bytes(needed)} are needed, ${integer(limit)} are available. Shorten the text, or choose the CPU.`,
  'device-out-of-memory': ({ what, needed }) =>
    `The GPU has no room for ${allocations[what]} (${bytes(needed)}). Choose the CPU, a shorter text or a smaller model.`,
  'memory-refused': ({ what, needed }) =>
    `This machine has no memory for ${allocations[what]} (${bytes(needed)}). Shorten the text, or choose a smaller model.`,
  'too-many-maps': ({ needed, limit }) =>
    `One head’s map of this text takes ${megabytes(needed)}, more than the limit of ${megabytes(limit)}. Shorten the text.`,
  'file-too-large': ({ needed, limit }) =>
    `All taps of this text take ${megabytes(needed)}, more than the limit of ${megabytes(limit)} for a file from this page. Shorten the text, or write the file on the command line.`,
  'sites-too-large': ({ needed, limit }) =>
    `The tensors of these numbers take ${megabytes(needed)}, more than the limit of ${megabytes(limit)}. Shorten the text.`,
  'row-too-large': ({ name, bytes: needed, limit }) =>
    `A row of ${name} takes ${bytes(needed)}, more than this GPU handles at once (${integer(limit)}). Choose the CPU.`,
  'canvas-refused': () => 'The GPU cannot paint on this canvas. Reload the page, or choose the CPU.',
  gpu: ({ reason }) => `The GPU reported an error: ${reason}. Choose the CPU, and please report this.`,
  internal: ({ reason }) => `An error in the engine: ${reason}. Please report it.`,
  'shape-mismatch': ({ op, message }) => `An error in the engine: ${op}: ${message}. Please report it.`,
}

export const t = messages(en, import.meta.glob('./failures.{ko,hu}.ts'))
