// The figures of Read, in the order of its chapters. A figure is a view: a folder here and a line in this list.
import { added } from './added'
import { cost } from './cost'
import { hand } from './hand'
import { near } from './near'
import { queue } from './queue'
import { shift } from './shift'
import { speeds } from './speeds'
import { stretch } from './stretch'
import { turn } from './turn'
import type { View } from './view'
import { ways } from './ways'

export const figures: readonly View[] = [queue, hand, added, turn, speeds, near, shift, stretch, ways, cost]

export const figureOf = (id: string): View | undefined => figures.find((figure) => figure.id === id)
