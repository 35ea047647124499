import { CHANGES_HEADER, CHANGES_PATH, type ChangesEvent } from '@headwater/contract'

const wallet = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'

/** A stream without an event for this time receives a heartbeat. */
const heartbeatMs = 15_000

/**
 * A service in the process with one wallet and its tokens, which counts the charged units.
 *
 * @param push - whether it pushes changes, and how often a block of each chain changes the prices of all tokens, in milliseconds.
 */
export function createPricedService(
  chainIds: readonly number[],
  tokens: number,
  push?: { readonly blockMs: number },
) {
  const held = Array.from({ length: tokens }, (_, index) => ({
    chainId: chainIds[index % chainIds.length] ?? 0,
    address: `0x${(index + 1).toString(16).padStart(40, '0')}`,
  }))
  let block = 1
  const streams = new Set<(event: ChangesEvent) => void>()
  const sendHeartbeat = (send: (event: ChangesEvent) => void) => {
    const chains = chainIds.map((id) => ({ chain_id: id, block_number: block, block_hash: '0x' }))
    send({ type: 'heartbeat', chains })
  }
  const openStream = (signal: AbortSignal | null | undefined) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const send = (event: ChangesEvent) => {
          const lines = [`id: ${block}`, `data: ${JSON.stringify(event)}`]
          controller.enqueue(new TextEncoder().encode(`${lines.join('\n')}\n\n`))
        }
        streams.add(send)
        signal?.addEventListener('abort', () => streams.delete(send))
        sendHeartbeat(send)
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  if (push) {
    setInterval(() => streams.forEach(sendHeartbeat), heartbeatMs)
  }
  if (push && push.blockMs < Infinity) {
    setInterval(() => {
      block++
      for (const chainId of chainIds) {
        const priced = held.filter((token) => token.chainId === chainId)
        const place = { chain_id: chainId, block_number: block, block_hash: '0x' }
        const addresses = priced.map(({ address }) => address)
        streams.forEach((send) => send({ type: 'change', ...place, tokens: addresses }))
      }
    }, push.blockMs)
  }
  const service = {
    units: 0,
    requests: 0,
    wallet,
    /** Tokens of the wallet. */
    held,
    fetch: ((input, init) => {
      const { pathname, searchParams } = new URL(String(input))
      if (pathname === CHANGES_PATH) {
        return Promise.resolve(openStream(init?.signal))
      }
      const requestedIds = (searchParams.get('chain_ids') ?? '').split(',').map(Number)
      const [, kind, address = '', , token] =
        /evm\/(token-info|balances)\/(\w+)(\/token\/(\w+))?/.exec(pathname) ?? []
      const isInfo = kind === 'token-info'
      const only = isInfo ? address : token
      const units = isInfo ? 2 : only === undefined ? requestedIds.length : 1
      service.requests++
      service.units += units
      // The price changes with each response.
      const rows = held
        .filter(
          (each) => requestedIds.includes(each.chainId) && (only ?? each.address) === each.address,
        )
        .map((each) => ({
          chain_id: each.chainId,
          address: each.address,
          amount: '1000000',
          price_usd: service.requests,
          pool_size: 1_000_000,
        }))
      const body = isInfo
        ? { contract_address: address, tokens: rows }
        : {
            wallet_address: address,
            balances: rows,
            response_time: new Date(Date.now()).toISOString(),
          }
      const headers = {
        'x-compute-units-cost': String(units),
        ...(push && {
          [CHANGES_HEADER]: CHANGES_PATH,
          'x-block-numbers': requestedIds.map((id) => `${id}=${block}`).join(),
        }),
      }
      return Promise.resolve(new Response(JSON.stringify(body), { headers }))
    }) as typeof globalThis.fetch,
  }
  return service
}
