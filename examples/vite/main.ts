import { load, RopescopeError } from 'ropescope'

const state = document.querySelector('#state')!
const text = document.querySelector('#text')!
const button = document.querySelector('button')!

try {
  const model = await load('models/roformer-english-causal/', {
    onProgress: ({ file, loaded, total }) => (state.textContent = `${file}: ${loaded} of ${total} bytes`),
  })
  state.textContent = `${model.info.name} on the ${model.engine?.backend.toUpperCase()}`
  button.disabled = false
  button.onclick = async () => {
    button.disabled = true
    for await (const piece of model.generate(text.textContent ?? '', { maxNewTokens: 12 })) text.append(piece.text)
    button.disabled = false
  }
} catch (error) {
  state.textContent = error instanceof RopescopeError ? `${error.code}: ${error.message}` : String(error)
}
