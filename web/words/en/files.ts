/** What a command is to be run for, and where. */
const again = 'Run this once in its folder and open the folder again:'

/** What is wrong with a model's files, and what to do. */
export const files = {
  none: 'No files were opened. Choose a folder that holds config.json, model.safetensors and tokenizer.json or vocab.txt.',
  noConfig:
    'config.json is missing: it tells the sizes of the model. Open the whole folder, or choose it together with model.safetensors.',
  noTokenizer:
    'Neither tokenizer.json nor vocab.txt is there, so text cannot be turned into tokens. Open the folder with one of them in it.',
  sharded: (command: string) =>
    `The weights are in several files; this page reads one model.safetensors. ${again} ${command}`,
  pickled: (name: string, command: string) =>
    `${name} is a PyTorch pickle, which can run code, so this page does not open it. ${again} ${command}`,
  otherFormat: (name: string) =>
    `${name} is in a format this page does not read. Save the model with transformers: save_pretrained() writes model.safetensors.`,
  otherName: (name: string) => `The weights are in ${name}; rename it to model.safetensors and open the folder again.`,
  noWeights:
    'model.safetensors is missing: the folder holds no weights. Open the folder that has it beside config.json.',
  notFetched: (name: string, why: string) =>
    `${name} could not be fetched (${why}). Check the connection and try again.`,
  notThere: (name: string, path: string) =>
    `${name} was not found at ${path}. Check that it was published with the page.`,
  refused: (name: string, status: number) => `${name} could not be fetched: the server answered ${status}.`,
  notOpened: (name: string) => `${name} is not among the files that were opened.`,
  broken: (name: string, why: string) =>
    `${name} could not be read to its end (${why}). Try again, or open the files anew.`,
}
