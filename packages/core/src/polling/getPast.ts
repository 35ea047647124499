/** A local time; 0 for one in the future, which is from before the clock was set back, or from another clock. */
export function getPast(time: number, now = Date.now()): number {
  return time > now ? 0 : time
}
