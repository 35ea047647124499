import { setTimeout as delay } from 'node:timers/promises'
import type { ChainConfig } from '../config/Config.ts'
import { formatReason } from '../formatReason.ts'
import { type CheckResult, createResults } from './CheckResult.ts'

const defaultTimeoutMs = 10_000

interface RpcResponse {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly message?: unknown }
}

/**
 * Checks that the WebSocket of a node serves the chain, and accepts a subscription to its new blocks. Without it the service
 * works, as it polls.
 *
 * @param url - may contain a secret.
 * @param name - identifies the node.
 */
export async function checkWebSocket(
  { id: chainId }: Pick<ChainConfig, 'id'>,
  url: string,
  name: string,
  timeoutMs = defaultTimeoutMs,
): Promise<CheckResult> {
  const { ok, warning } = createResults(`chain ${chainId}, WebSocket of node ${name}`)
  const isPolled = 'its head is polled until then'
  let call: Awaited<ReturnType<typeof connect>> | undefined
  const ended = new AbortController()
  try {
    const timeout = delay(timeoutMs, undefined, { signal: ended.signal }).then(() => {
      throw new Error(`no response within ${timeoutMs / 1000} s`)
    })
    timeout.catch(() => {})
    call = await Promise.race([connect(url, ended.signal), timeout])
    const served = await Promise.race([call('eth_chainId', []), timeout])
    if (Number(served.result) !== chainId) {
      const what = served.error ? formatError(served) : `serves chain ${Number(served.result)}`
      return warning(`${what}, not ${chainId}: correct webSocketUrl; ${isPolled}`)
    }
    const subscribed = await Promise.race([call('eth_subscribe', ['newHeads']), timeout])
    return typeof subscribed.result === 'string'
      ? ok('accepts subscriptions to new blocks')
      : warning(
          `${formatError(subscribed)}: use a node with eth_subscribe, or remove webSocketUrl; ${isPolled}`,
        )
  } catch (reason) {
    return warning(
      `cannot be used (${formatReason(reason)}): correct webSocketUrl, and check that the node accepts WebSockets there; ${isPolled}`,
    )
  } finally {
    ended.abort()
  }
}

/** @returns a function that sends a request and resolves to its response, until the signal aborts. */
async function connect(url: string, signal: AbortSignal) {
  const socket = new WebSocket(url)
  signal.addEventListener('abort', () => socket.close())
  const failed = new Promise<never>((_, reject) => {
    socket.addEventListener('error', (event) => {
      // The message of an `ErrorEvent`, which the types of Node.js lack.
      const { message } = event as { readonly message?: string }
      reject(new Error(message || 'the connection failed'))
    })
    socket.addEventListener('close', ({ code }) =>
      reject(new Error(`the connection was closed with code ${code}`)),
    )
  })
  failed.catch(() => {})
  const opened = new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  await Promise.race([opened, failed])
  let lastId = 0
  return async (method: string, params: readonly unknown[]): Promise<RpcResponse> => {
    const id = ++lastId
    const response = new Promise<RpcResponse>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        const message = parse(data)
        if (message.id === id) {
          resolve(message)
        }
      })
    })
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return await Promise.race([response, failed])
  }
}

/** Parses a message; empty if it is malformed. */
function parse(data: unknown): RpcResponse {
  try {
    return (JSON.parse(String(data)) as RpcResponse | null) ?? {}
  } catch {
    return {}
  }
}

function formatError({ error }: RpcResponse): string {
  return `responds with an error (${String(error?.message ?? 'without a message')})`
}
