// Parts of circles, as SVG paths. Angles in radians, counterclockwise from the right.

const on = (x: number, y: number, radius: number, angle: number) =>
  `${x + radius * Math.cos(angle)} ${y - radius * Math.sin(angle)}`

/** The arc between two angles that are less than a turn apart. */
export const arc = (x: number, y: number, radius: number, from: number, to: number): string =>
  `M${on(x, y, radius, from)}A${radius} ${radius} 0 ${to - from > Math.PI ? 1 : 0} 0 ${on(x, y, radius, to)}`

/** The sector between its ends and the centre. */
export const sector = (x: number, y: number, radius: number, from: number, to: number): string =>
  `${arc(x, y, radius, from, to)}L${x} ${y}Z`
