import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { API_KEY_HEADER, CHANGES_PATH } from '@headwater/contract'
import { benchChainId } from '../history/startNode.ts'
import { getWallet } from '../live/seedWallets.ts'

const walletsPerStream = 5
const maxPending = 500

/** Follows and requests wallets of a service, and counts what it receives. */
export class SoakClient {
  /** Number of events of the streams by type. */
  readonly events = new Map<string, number>()
  /** Number of failures by reason. */
  readonly failures = new Map<string, number>()
  sent = 0
  /** Requests that were due while too many others were pending. */
  notSent = 0
  readonly #service: { readonly url: string; readonly secret: string }
  /** Number of wallets. */
  readonly #wallets: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 128 })
  readonly #streams: IncomingMessage[] = []
  #isEnding = false
  #pending = 0

  constructor(service: { readonly url: string; readonly secret: string }, wallets: number) {
    this.#service = service
    this.#wallets = wallets
  }

  async openStreams(count: number): Promise<void> {
    for (let each = 0; each < count; each++) {
      const followed = Array.from({ length: walletsPerStream }, (_, index) => {
        const wallet = getWallet((each * walletsPerStream + index) % this.#wallets)
        return `${benchChainId}:${wallet}`
      })
      const stream = await this.#open(`${CHANGES_PATH}?wallets=${followed.join()}`, true)
      if (stream.statusCode !== 200) {
        increment(this.failures, `stream ${stream.statusCode}`)
      }
      stream.on('data', (chunk: Buffer) => {
        for (const [, type = ''] of chunk.toString().matchAll(/^event: (\w+)/gm)) {
          increment(this.events, type)
        }
      })
      stream.on('error', () => {})
      stream.on('close', () => !this.#isEnding && increment(this.failures, 'stream ended'))
      this.#streams.push(stream)
    }
  }

  /** Requests wallets at a rate per second. Responses may be pending afterwards. */
  async sendRequests(rate: number, durationMs: number): Promise<void> {
    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    for (let due = 0; elapsed() < durationMs; await delay(10)) {
      for (; due * 1000 < elapsed() * rate; due++) {
        if (this.#pending < maxPending) {
          this.sent++
          void this.#request()
        } else {
          this.notSent++
        }
      }
    }
  }

  /** Waits for the pending responses. */
  async settle(): Promise<void> {
    while (this.#pending > 0) {
      await delay(50)
    }
  }

  closeStreams(): void {
    this.#isEnding = true
    this.#streams.forEach((stream) => stream.destroy())
  }

  /** Loads the balances of a wallet, uncompressed. */
  async loadBalances(wallet: string): Promise<string> {
    return await text(await this.#open(`/v1/evm/balances/${wallet}?filters=erc20`, true))
  }

  close(): void {
    this.#agent.destroy()
  }

  async #request(): Promise<void> {
    this.#pending++
    try {
      const wallet = getWallet(Math.floor(Math.random() * this.#wallets))
      const response = await this.#open(`/v1/evm/balances/${wallet}`)
      response.resume()
      await once(response, 'end')
      if (response.statusCode !== 200) {
        increment(this.failures, `status ${response.statusCode}`)
      }
    } catch (error) {
      increment(this.failures, String((error as { code?: string }).code ?? error))
    } finally {
      this.#pending--
    }
  }

  async #open(path: string, isStream = false): Promise<IncomingMessage> {
    const { url, secret } = this.#service
    const headers = { [API_KEY_HEADER]: secret, 'Accept-Encoding': isStream ? '' : 'gzip' }
    const sent = get(url + path, { headers, agent: isStream ? false : this.#agent })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    // The streams are cut at the end.
    sent.on('error', () => {})
    return response
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
