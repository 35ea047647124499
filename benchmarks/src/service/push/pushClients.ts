// Clients that follow changes, in a process of their own, so that they do not delay the service or each other's measurement.
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { API_KEY_HEADER, CHANGES_PATH, type ChangesEvent } from '@headwater/contract'
import { now } from '../../now.ts'
import { benchChainId } from '../history/startNode.ts'
import { getWallet } from '../live/seedWallets.ts'

/** What the parent sends first. */
export interface ClientsOptions {
  readonly url: string
  readonly secret: string
  /** The index of the first wallet. */
  readonly first: number
  readonly connections: number
  readonly walletsEach: number
}

/** A wallet that changed: its block, and when its event and the response to the request that follows were read. */
export type Delivery = readonly [block: number, eventAt: number, responseAt: number]

const concurrentOpens = 25

process.once('message', (options: ClientsOptions) => void follow(options))

async function follow(options: ClientsOptions): Promise<void> {
  const { url, secret, first, connections, walletsEach } = options
  const headers = { [API_KEY_HEADER]: secret }
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const deliveries: Delivery[] = []
  const request = async (path: string, isStream: boolean): Promise<IncomingMessage> => {
    const sent = get(url + path, { headers, agent: isStream ? false : agent })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    // The streams are cut at the end.
    sent.on('error', () => {})
    return response
  }
  const read = async (wallet: string) => {
    const response = await request(`/v1/evm/balances/${wallet}`, false)
    response.resume()
    await once(response, 'end')
  }
  const onEvent = ({ block_number = 0, wallets = [] }: ChangesEvent) => {
    const eventAt = now()
    for (const wallet of wallets) {
      void read(wallet).then(() => deliveries.push([block_number, eventAt, now()]))
    }
  }
  const open = async (index: number) => {
    const wallets = Array.from({ length: walletsEach }, (_, each) => {
      return getWallet(first + index * walletsEach + each)
    })
    // As a client does, which follows the changes of what it has.
    for (const wallet of wallets) {
      await read(wallet)
    }
    const followed = wallets.map((wallet) => `${benchChainId}:${wallet}`)
    const stream = await request(`${CHANGES_PATH}?wallets=${followed.join()}`, true)
    let text = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        onEvent(JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}') as ChangesEvent)
      }
    })
  }
  for (let start = 0; start < connections; start += concurrentOpens) {
    const count = Math.min(concurrentOpens, connections - start)
    await Promise.all(Array.from({ length: count }, (_, each) => open(start + each)))
  }
  process.send?.('open')
  process.once('message', () => process.send?.({ deliveries }))
}
