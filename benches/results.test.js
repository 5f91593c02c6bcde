import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { answersTo, readGoals, results } from './results.js'
import { readSeries } from './series.js'

test('RESULTS.md is what `node benches/results.js` writes', async () => {
  expect(await readFile('benches/RESULTS.md', 'utf8')).toBe(await results())
})

test('every series has a date, a machine, notes, and tables with rows', async () => {
  for (const { path, date, machine, notes, tables } of await readSeries()) {
    expect(path).toContain(`/${date}-`)
    expect(machine, path).toBeTypeOf('object')
    expect(Array.isArray(notes), path).toBe(true)
    for (const { title, rows } of Object.values(tables)) {
      expect(title, path).not.toBe('')
      expect(rows.length, path).toBeGreaterThan(0)
    }
  }
})

test('a goal whose figure no series has is an error', async () => {
  const all = await readSeries()
  const [goal] = await readGoals()
  const others = { subject: 'none', table: 'none', where: { 'ours / theirs': 'three threads' }, columns: ['none'] }
  for (const [name, value] of Object.entries(others)) {
    const wrong = { ...goal, figure: { ...goal.figure, [name]: value } }
    expect(() => answersTo(wrong, all), name).toThrow('no series answers')
  }
})

test('a goal whose subject has no series yet has no answers', async () => {
  const all = await readSeries()
  const [goal] = await readGoals()
  expect(answersTo(goal, all)).not.toEqual([])
  const others = all.filter(({ subject }) => subject !== goal.figure.subject)
  expect(answersTo(goal, others)).toEqual([])
})
