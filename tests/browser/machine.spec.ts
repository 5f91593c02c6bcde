// About measures this machine, in an engine of its own, and stops.
import { expect, test } from './explorer'

test('measures products and the model on the CPU, and stops where that is asked for @cpu', async ({
  explorer,
  page,
}) => {
  await explorer.open({ room: 'about' })
  const machine = page.getByTestId('machine')
  const button = machine.getByRole('button', { name: 'Measure' })
  await expect(button).toBeEnabled()
  await button.click()
  const report = page.getByTestId('machine-report')
  await expect(report).toContainText(/run of 128 tokens: median [\d.]+ ms/, { timeout: 60_000 })
  await expect(report).toContainText(/product 16 × 512 × 512, rotated: [\d.]+ GFLOP\/s/)
  await expect(report).toContainText('RoFormerForMaskedLM, 2 layers × 4 heads')
  await machine.getByRole('button', { name: 'Stop' }).click()
  await expect(button).toBeVisible()
  await expect(machine.getByRole('button', { name: 'Copy report' })).toBeVisible()
})
