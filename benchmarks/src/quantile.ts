/** The value below which a share of values is; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
