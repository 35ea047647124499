/** The slope of the straight line through points, by least squares. */
export function fitSlope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (index: 0 | 1) =>
    points.reduce((sum, point) => sum + point[index], 0) / points.length
  const meanX = mean(0)
  const meanY = mean(1)
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const variance = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return covariance / variance
}
