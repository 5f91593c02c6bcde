import { integer } from '../numbers'

type Role = 'query' | 'key'

export const angles = {
  title: 'Angles',
  lead: 'How far each pair has turned at each position, modulo a full turn.',
  source:
    'RoFormer (Su et al. 2021, arXiv 2104.09864), equation 15, computed in double precision. Where one pixel covers several positions it has their mean colour, so pairs too fast to be shown go flat.',
  table: 'Angles in radians, positions down, pairs across',
  header: (wavelengths: readonly string[]): readonly string[] => [
    'position',
    ...wavelengths.map((wavelength, pair) => `pair ${integer(pair)} (λ ${wavelength})`),
  ],
  label: 'Frequency pair of the angle map',
  none: 'none chosen',
  pair: (pair: number) => `pair ${integer(pair)}`,
  /** One cell of the picture. */
  cell: (position: number, pair: number, wavelength: string, angle: string) =>
    `position ${integer(position)}, pair ${integer(pair)} (λ ${wavelength}): ${angle}`,
  /** The chosen pair at the query's and the key's positions. */
  marked: (cells: readonly { role: Role; cell: string }[]) =>
    cells.map(({ role, cell }) => `${role} at ${cell}`).join('; '),
  mark: (role: Role, position: number) => `${role} ${integer(position)}`,
  rows: 'wavelength λ (tokens)',
  columns: 'position (tokens)',
  hint: 'point at the picture to read it, click to choose a pair',
  colours: 'Colours of angles from 0 to 360 degrees',
  firstTurn: 'first full turn',
}
