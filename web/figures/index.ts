// The figures of Read, in the order of its chapters; behind them those that stand by themselves. A figure is a view: a folder here and a line in this list.
import { added } from './added'
import { cost } from './cost'
import { hand } from './hand'
import { longer } from './longer'
import { near } from './near'
import { norms } from './norms'
import { queue } from './queue'
import { shift } from '../views/shift'
import { speeds } from './speeds'
import { stretch } from './stretch'
import { lengths, rotations } from './trials'
import { turn } from './turn'
import type { View } from '../views/view'
import { ways } from './ways'

export const figures: readonly View[] = [
  queue,
  hand,
  added,
  turn,
  speeds,
  near,
  shift,
  stretch,
  ways,
  cost,
  norms,
  longer,
  rotations,
  lengths,
]

export const figureOf = (id: string): View | undefined => figures.find((figure) => figure.id === id)
