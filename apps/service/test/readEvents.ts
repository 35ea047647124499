import { API_KEY_HEADER, CHANGES_PATH, type ChangesEvent } from '@headwater/contract'

/** An event as a client receives it. */
export interface ReceivedEvent {
  readonly id: string
  readonly event: ChangesEvent
}

/**
 * Opens a stream of changes.
 *
 * @param query - such as `wallets=7:0x…`.
 * @throws {Error} with the body of an error response.
 */
export async function openEvents(
  { url, secret }: { readonly url: string; readonly secret: string },
  query: string,
  lastEventId?: string,
) {
  const controller = new AbortController()
  const response = await fetch(`${url}${CHANGES_PATH}?${query}`, {
    headers: {
      [API_KEY_HEADER]: secret,
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    },
    signal: controller.signal,
  })
  if (!response.ok || !response.body) {
    throw new Error(await response.text())
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    response,
    /** The next event; undefined at the end of the stream. */
    async next(): Promise<ReceivedEvent | undefined> {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const block = text.slice(0, end)
          text = text.slice(end + 2)
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
          return { id: field('id'), event: JSON.parse(field('data')) as ChangesEvent }
        }
        const { done, value } = await reader.read()
        if (done) {
          return undefined
        }
        text += value
      }
    },
    /** Cuts the connection. */
    cut(): void {
      controller.abort()
      reader.cancel().catch(() => {})
    },
  }
}
