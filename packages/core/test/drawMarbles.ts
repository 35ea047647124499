import type { Observable } from 'rxjs'
import { pass } from './clientsInFakeTime.ts'

/** How long a frame of a diagram is, in milliseconds. */
export const frame = 1000

/**
 * Draws what an observable does as a marble diagram, a character a frame, in fake time: `TestScheduler` knows no promises,
 * and whoever asks a service lives on them.
 *
 * @param label - A character for a value.
 * @param events - What happens at the beginning of which frame.
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
    await pass(frame)
    drawn += now.length > 1 ? `(${now})` : now || '-'
    now = ''
  }
  subscription.unsubscribe()
  return drawn
}
