import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '../engine/protocol/protocol'
import { viewOf, views, opening, stationOf, stopsOf, viewsOfAllHeads } from '.'

const model = (changed: Partial<ModelInfo> = {}) =>
  ({ adds_positions: false, predicts_tokens: true, architecture: 'RoFormer', ...changed }) as ModelInfo
const namesOf = (of: ModelInfo | undefined) => stopsOf(of).map(({ station }) => station)

describe('the stations', () => {
  it('are those that the model has', () => {
    expect(namesOf(undefined)).toHaveLength(10)
    expect(namesOf(model())).toContain('rotate')
    expect(namesOf(model({ adds_positions: true }))).not.toContain('rotate')
    expect(namesOf(model({ predicts_tokens: false }))).not.toContain('guess')
  })

  it('have every view, once', () => {
    const under = [...stopsOf(undefined).flatMap(({ views }) => views), ...viewsOfAllHeads(undefined)]
    // The lesson goes from station to station, and has a link elsewhere.
    const usual = views.filter(({ rare, stationOf }) => !rare && !stationOf)
    expect(under.map(({ id }) => id).sort()).toEqual(usual.map(({ id }) => id).sort())
  })

  it('have no view about rotation where nothing rotates', () => {
    const ids = stopsOf(model({ adds_positions: true })).flatMap(({ views }) => views.map(({ id }) => id))
    expect(ids).toContain('map')
    for (const id of ['rotate', 'mute', 'shift']) expect(ids).not.toContain(id)
  })

  it('without a view of their own are shown by the map', () => {
    for (const station of ['qk', 'weight', 'value', 'layers'] as const) {
      const stop = stopsOf(model()).find((stop) => stop.station === station)
      const opened = stop && opening(stop, {}, model())
      expect(stationOf(opened?.view, opened?.viewParams ?? {}, model())).toBe(station)
    }
    expect(opening({ station: 'text', views: [] }, {}, model())).toBeUndefined()
  })

  it('q·k is the score where nothing rotates, and the link says so', () => {
    const added = model({ adds_positions: true })
    const stop = stopsOf(added).find(({ station }) => station === 'qk')
    const opened = stop && opening(stop, { 'map.mean': 'all' }, added)
    expect(opened?.viewParams).toEqual({ 'map.kind': 'score' })
    for (const kind of ['score', 'content']) expect(stationOf(viewOf('map'), { 'map.kind': kind }, added)).toBe('qk')
    expect(stationOf(viewOf('map'), { 'map.kind': 'score' }, model())).toBe('score')
  })

  it('are those of the map’s numbers', () => {
    expect(stationOf(viewOf('map'), { 'map.kind': 'rotation' }, model())).toBe('rotate')
    expect(stationOf(viewOf('map'), {}, model())).toBe('weight')
    expect(stationOf(viewOf('points'), {}, model())).toBeUndefined()
  })
})
