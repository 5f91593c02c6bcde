// A neuron of the feed-forward network: found by keys, switched off, and on again by undo.
import { expect, test } from './explorer'

const text = 'the cat [MASK] on the mat .'

test('a neuron is selected by keys, switched off, and put back by undo', async ({ explorer, page }) => {
  await explorer.open({ text, open: 'neurons', layer: '1', query: '2' })
  const view = page.getByTestId('view-neurons')
  const field = view.getByRole('spinbutton', { name: 'Neuron' })
  const change = view.getByTestId('neurons-change')
  const changed = page.getByTestId('changed')
  await explorer.settled()
  const strongest = await field.inputValue()
  await view.getByRole('application').focus()
  await page.keyboard.press('ArrowDown')
  await expect(field).not.toHaveValue(strongest)
  const neuron = await field.inputValue()
  await explorer.shown({ 'neurons.neuron': neuron, neurons: null })
  await expect(change).toHaveCount(0)

  const off = view.getByRole('button', { name: `neuron ${neuron}` })
  await expect(off).toHaveAttribute('aria-pressed', 'false')
  await explorer.resultAfter(() => off.click())
  await explorer.shown({ 'neurons.neuron': neuron, neurons: `1.${neuron}` })
  await expect(changed).toContainText(`without neuron L1·N${neuron}`)
  await expect(change).toContainText(`Without neuron L1·N${neuron} the best prediction for`)
  await expect(page.getByTestId('headline')).toContainText(`Neuron ${neuron} of layer 1 is off: 0 at every token.`)
  await expect(off).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await explorer.shown({ 'neurons.neuron': neuron, neurons: null })
  await expect(changed).toHaveCount(0)
  await expect(change).toHaveCount(0)
  await expect(page.getByTestId('headline')).toContainText(`Neuron ${neuron} of layer 1 answers most to`)

  await explorer.resultAfter(() => view.getByRole('button', { name: 'feed-forward network of layer 1' }).click())
  await expect(changed).toContainText('without the feed-forward network of layer 1')
  await expect(page.getByTestId('headline')).toContainText('all its neurons are 0')
})
