/** θ of one layer's pairs, (headSize / 2), of those of all layers, (layers, headSize / 2). */
export function thetaOfLayer(theta: Float64Array, layer: number, headSize: number): Float64Array {
  const pairs = headSize >> 1
  return theta.slice(layer * pairs, (layer + 1) * pairs)
}
