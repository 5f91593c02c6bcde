import { load } from './node_modules/ropescope/index.js'

const text = 'The little dog sat on the [MASK].'
const model = await load('models/roformer-english/')
const [fills] = await model.fillMask(text, { topK: 3 })

document.querySelector('#text').textContent = text
for (const { token, probability } of fills) {
  const line = document.createElement('li')
  line.textContent = `${token}, ${(100 * probability).toFixed(1)} %`
  document.querySelector('ol').append(line)
}
await model.run(text)
await model.paint(document.querySelector('canvas'), { layer: 2, head: 6 })
