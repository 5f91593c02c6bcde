// benches/race.html: the races that `cargo xtask bench --peers` has prepared, for whoever wants to run one by hand.
import { median } from './median'
import { raceAll, type Race } from './racing'

declare global {
  interface Window {
    raceAll: typeof raceAll
  }
}

window.raceAll = raceAll

const which = document.querySelector('select')!
const runs = document.querySelector('input')!
const begin = document.querySelector('button')!
const status = document.querySelector('output')!
const rows = document.querySelector('tbody')!

function row(cells: readonly (string | number)[]): HTMLTableRowElement {
  const line = document.createElement('tr')
  line.append(...cells.map((cell) => Object.assign(document.createElement('td'), { textContent: `${cell}` })))
  return line
}

async function run({ contenders }: Race): Promise<void> {
  begin.disabled = true
  try {
    const all = await raceAll(contenders, runs.valueAsNumber, (told) => (status.value = told))
    const lines = all.map(({ start, load, first, runs, topIds }, at) => {
      const { name = '', threads = 1 } = contenders[at] ?? {}
      const times = [start, load, first, median(runs), Math.min(...runs)].map((time) => time.toFixed(1))
      return row([name, threads, ...times, topIds.join(' ')])
    })
    rows.replaceChildren(...lines)
    status.value = 'done'
  } catch (error) {
    status.value = error instanceof Error ? error.message : String(error)
  } finally {
    begin.disabled = false
  }
}

const response = await fetch('/target/bench/races.json')
if (response.ok) {
  const races = (await response.json()) as Race[]
  which.append(...races.map(({ model, tokens, backend }) => new Option(`${model}, ${tokens} tokens, ${backend}`)))
  begin.disabled = false
  begin.onclick = () => {
    const race = races[which.selectedIndex]
    if (race) void run(race)
  }
} else status.value = 'no races are prepared: `cargo xtask bench --peers` does that'
