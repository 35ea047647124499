/** A part as share of the whole, from 0 to 1; 0 of nothing. */
export function shareOf(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0
}
