import { load } from 'ropescope'

const texts = ['The dog ran home.', 'A dog ran to the house.', 'It is a matter of law.']
const model = await load('models/roformer-english/')
document.querySelector('#state').textContent = `${model.info.name} on the ${model.engine.backend.toUpperCase()}`

const vectors = []
for (const text of texts) vectors.push(await model.embed(text))
const product = (a, b) => a.reduce((sum, value, at) => sum + value * b[at], 0)
const cosine = (a, b) => product(a, b) / Math.sqrt(product(a, a) * product(b, b))

for (const at of [1, 2]) {
  const [name, value] = [document.createElement('dt'), document.createElement('dd')]
  name.textContent = texts[at]
  value.textContent = cosine(vectors[0], vectors[at]).toFixed(3)
  document.querySelector('dl').append(name, value)
}
