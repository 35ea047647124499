// Loaded before fake time starts, which does not advance the import.
import '../src/push/ChangeFollower.ts'
import { beforeEach } from 'vitest'
import type { Balance, ChangesEvent } from '@headwater/contract'
import { balance, balancesResponse } from './balances.ts'
import { clientsInFakeTime } from './clientsInFakeTime.ts'
import { json } from './createFakeService.ts'

const chainId = 31337

/** How the service responds to a request of the stream. */
type StreamFault = 'none' | 'missing' | 'pending' | 'buffered' | 'limited'

/** A service in the same process that pushes its changes, for fake time. */
export function pushInFakeTime() {
  const service = {
    /** Paths and queries of requests, other than those of streams. */
    requests: [] as string[],
    /** Queries and positions of streams. */
    streams: [] as { readonly query: URLSearchParams; readonly lastEventId: string | null }[],
    open: new Set<ReadableStreamDefaultController<Uint8Array>>(),
    fault: 'none' as StreamFault,
    block: 1,
    /** The blocks of other chains, by chain id. */
    otherBlocks: {} as Readonly<Record<number, number>>,
    /** Whether responses are of the block before, as those of another process. */
    isBehind: false,
    amount: 1,
    /** Changes the row of a response, by the path of its request. */
    row: (() => ({})) as (path: string) => Partial<Balance>,
    /** How long responses take. */
    delayMs: 0,
    /** The log of events: those since the position of a stream are sent when it opens. */
    log: [] as ChangesEvent[],

    /** Adds a block, unless the event is of another chain. */
    publish(event: Partial<ChangesEvent> = {}): void {
      service.block += event.chain_id === undefined ? 1 : 0
      const place = { chain_id: chainId, block_number: service.block, block_hash: '0x1' }
      const full: ChangesEvent = { type: 'change', ...place, ...event }
      service.log.push(full)
      for (const controller of service.open) {
        send(controller, full, service.log.length)
      }
    },
    heartbeat(): void {
      for (const controller of service.open) {
        send(controller, createHeartbeat(), service.log.length)
      }
    },
    /** Cuts all streams. */
    cut(): void {
      for (const controller of service.open) {
        controller.error(new TypeError('terminated'))
      }
      service.open.clear()
    },
    fetch: (async (url: string, { signal, headers }: RequestInit) => {
      const { pathname, search, searchParams } = new URL(url)
      if (!pathname.endsWith('/changes')) {
        service.requests.push(pathname + search)
        const block = service.block - (service.isBehind ? 1 : 0)
        const row = balance({ amount: String(service.amount), ...service.row(pathname) })
        const response = json(balancesResponse(row), {
          headers: {
            'x-changes-path': '/v1/evm/changes',
            'x-block-numbers': getBlocks(block)
              .map((pair) => pair.join('='))
              .join(),
          },
        })
        if (service.delayMs > 0) {
          await new Promise((resolve) => setTimeout(resolve, service.delayMs))
        }
        return response
      }
      const lastEventId = new Headers(headers).get('last-event-id')
      service.streams.push({ query: searchParams, lastEventId })
      if (service.fault === 'missing') {
        return json({ error: 'No' }, { status: 404 })
      }
      if (service.fault === 'pending') {
        return await new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        })
      }
      if (service.fault === 'limited') {
        const headers = { 'retry-after': '30' }
        return json({ error: 'Many' }, { status: 429, headers })
      }
      let opened: ReadableStreamDefaultController<Uint8Array>
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          opened = controller
          signal?.addEventListener('abort', () => {
            if (service.open.delete(controller) || service.fault === 'buffered') {
              controller.error(signal.reason)
            }
          })
          if (service.fault === 'buffered') {
            return
          }
          service.open.add(controller)
          const from = lastEventId === null ? service.log.length : Number(lastEventId)
          send(controller, createHeartbeat(), from)
          for (const [index, event] of service.log.slice(from).entries()) {
            send(controller, event, from + index + 1)
          }
        },
        cancel() {
          service.open.delete(opened)
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }) as typeof globalThis.fetch,
  }
  const getBlocks = (block: number): [number, number][] =>
    Object.entries({ ...service.otherBlocks, [chainId]: block }).map(([id, each]) => [
      Number(id),
      each,
    ])
  const createHeartbeat = (): ChangesEvent => ({
    type: 'heartbeat',
    chains: getBlocks(service.block).map(([chain_id, block_number]) => ({
      chain_id,
      block_number,
      block_hash: '0x1',
    })),
  })
  const initial = { ...service }
  const reset = () => {
    Object.assign(service, initial, { requests: [], streams: [], log: [], open: new Set() })
  }
  const create = clientsInFakeTime(() => service.fetch)
  beforeEach(reset)
  return { service: Object.assign(service, { reset }), create }
}

function send(
  controller: ReadableStreamDefaultController<Uint8Array>,
  event: ChangesEvent,
  id: number,
): void {
  const text = `event: ${event.type}\nid: ${id}\ndata: ${JSON.stringify(event)}\n\n`
  controller.enqueue(new TextEncoder().encode(text))
}
