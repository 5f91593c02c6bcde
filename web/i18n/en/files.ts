/** What is wrong with a model's files, and what to do. */
export const files = {
  none: 'No files were opened. Choose a folder that holds config.json, the weights (model.safetensors, or one of PyTorch’s) and tokenizer.json or vocab.txt.',
  noConfig:
    'config.json is missing: it tells the sizes of the model. Open the whole folder, or choose it together with the weights.',
  marianTokenizer:
    'The folder has Marian’s source.spm, target.spm and vocab.json, which are not read here. training/marian_tokenizer.py of the source code makes tokenizer.json of them: open the folder again with it inside.',
  noTokenizer:
    'Neither tokenizer.json nor vocab.txt is there, so text cannot be turned into tokens. Open the folder with one of them in it.',
  noIndex: (name: string) =>
    `${name} holds a part of the weights, and the list of all parts (model.safetensors.index.json) is missing. Open the whole folder.`,
  otherFormat: (name: string) =>
    `${name} is in a format this page does not read. Save the model with transformers: save_pretrained() writes model.safetensors.`,
  otherName: (name: string) => `The weights are in ${name}; rename it to model.safetensors and open the folder again.`,
  noWeights:
    'The folder holds no weights: neither model.safetensors nor a file of PyTorch’s. Open the folder that has them beside config.json.',
  notFetched: (name: string, why: string) =>
    `${name} could not be fetched (${why}). Check the connection and try again.`,
  readerNotFetched: (why: string) =>
    `The part of this page that reads such weights could not be fetched (${why}). Check the connection and try again.`,
  notThere: (name: string, path: string) =>
    `${name} was not found at ${path}. Check that it was published with the page.`,
  refused: (name: string, status: number) => `${name} could not be fetched: the server answered ${status}.`,
  notOpened: (name: string) => `${name} is not among the files that were opened.`,
  broken: (name: string, why: string) =>
    `${name} could not be read to its end (${why}). Try again, or open the files anew.`,
}
