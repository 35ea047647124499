import type { Observable } from 'rxjs'
import { advance } from './clientsInFakeTime.ts'

/** The duration of a frame in milliseconds. */
export const frame = 1000

/**
 * Draws the emissions of an observable as a marble diagram, one character per frame, in fake time. `TestScheduler` does
 * not run promises, which requests are based on.
 *
 * @param label - The character of a value.
 * @param events - Functions to call at the beginning of a frame.
 */
export async function drawMarbles<T>(
  stream: Observable<T>,
  frames: number,
  label: (value: T) => string,
  events: Readonly<Record<number, () => void>> = {},
): Promise<string> {
  let drawn = ''
  let now = ''
  const subscription = stream.subscribe({
    next: (value) => void (now += label(value)),
    error: () => void (now += '#'),
    complete: () => void (now += '|'),
  })
  for (let each = 0; each < frames; each++) {
    events[each]?.()
    await advance(frame)
    drawn += now.length > 1 ? `(${now})` : now || '-'
    now = ''
  }
  subscription.unsubscribe()
  return drawn
}
