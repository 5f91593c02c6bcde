/** The custom element's messages. Those of the map are the page's. */
export const messages = {
  loading: 'The model is on its way …',
  running: 'The model reads the text …',
  runs: (name: string, backend: 'gpu' | 'cpu') => `${name} on the ${backend.toUpperCase()}`,
  noModel: 'There is no attribute model: give it the address of a model’s folder, or hub:owner/name.',
  noText: 'There is no attribute text: give it what the model is to read.',
  noNumber: (name: string, value: string) => `The attribute ${name} is ${value}: give it a whole number from 0 on.`,
  noBackend: (value: string, there: string) => `The attribute backend is ${value}: there are ${there}.`,
  noWeights: (value: string, there: string) => `The attribute weights is ${value}: there are ${there}.`,
  noPart: (value: string, there: string) => `The attribute part is ${value}: there are ${there}.`,
  failed: (why: string) => `The map cannot be shown: ${why}`,
}
