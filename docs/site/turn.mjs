// Records docs/turn.gif, the key's walk on the first screen, from the page that is served: `node docs/site/turn.mjs http://localhost:8000/`.
// CHROME=path names a browser.
import { writeFile } from 'node:fs/promises'
import gifenc from 'gifenc'
import { chromium } from 'playwright'
import { PNG } from 'pngjs'

const { GIFEncoder, applyPalette, quantize } = gifenc

const [address = 'http://localhost:8000/'] = process.argv.slice(2)
const size = { width: 1280, height: 720 }
/** Milliseconds between frames: the key glides for 300 from token to token, and rests for 400. */
const [gliding, resting] = [100, 400]
const tokens = 13
const colours = 128

const browser = await chromium.launch({
  ...(process.env.CHROME ? { executablePath: process.env.CHROME } : {}),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
const page = await browser.newPage({ viewport: size, colorScheme: 'light' })
await page.clock.install()
await page.goto(new URL('#/explorer?backend=cpu', address).href)
const walk = page.getByTestId('walk')
await page.getByTestId('headline').waitFor()
await page.locator('.bench[aria-busy=false]').waitFor()
await page.clock.pauseAt(Date.now() + 60_000)

const frames = []
const record = async (delay) => frames.push({ delay, ...PNG.sync.read(await page.screenshot()) })
await record(1500)
await walk.click()
for (let token = 0; token < tokens; token++) {
  await record(resting)
  await page.clock.runFor(resting)
  for (let time = 0; time < 300; time += gliding) {
    await page.clock.runFor(gliding)
    await record(gliding)
  }
}
await record(2000)
await browser.close()

const gif = GIFEncoder()
// The palette of a frame with all colours; its last entry stands for a pixel that stays.
const palette = quantize(frames[frames.length >> 1].data, colours - 1)
const stays = palette.length
let before
for (const { data, delay } of frames) {
  const pixels = applyPalette(data, palette)
  const changed = before ? pixels.map((colour, at) => (colour === before[at] ? stays : colour)) : pixels
  const options = before ? { transparent: true, transparentIndex: stays } : { palette: [...palette, [0, 0, 0]] }
  gif.writeFrame(changed, size.width, size.height, { ...options, delay, dispose: 1 })
  before = pixels
}
gif.finish()
await writeFile(new URL('../turn.gif', import.meta.url), gif.bytes())
