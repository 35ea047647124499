import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { BalancesResponse } from '@headwater/contract'
import type { InstalledService } from './installService.ts'
import { hostedChainId, wallet } from './openHostedChain.ts'

/** Balances of the wallet at a block. */
export interface WalletResponse {
  readonly block: number
  readonly tokens: ReadonlyMap<string, string>
  readonly priced: number
  readonly isPartial: boolean
}

const startTimeoutSeconds = 120

/** The service in a process of its own, used like a user does. */
export class ServiceRun {
  readonly startedAt = performance.now()
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  readonly #key: string | undefined
  #output = ''
  #api: { readonly url: string; readonly key: string } | undefined

  /** @param key - the key to use; by default the one that it prints. */
  constructor(
    { main, home }: Pick<InstalledService, 'main' | 'home'>,
    args: readonly string[],
    folder: string,
    key?: string,
  ) {
    this.#key = key
    this.#child = spawn(process.execPath, [main, ...args, '--port', '0'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: home, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#exited = once(this.#child, 'exit')
    const keep = (chunk: Buffer) => (this.#output += chunk.toString())
    this.#child.stdout?.on('data', keep)
    this.#child.stderr?.on('data', keep)
  }

  get seconds(): number {
    return (performance.now() - this.startedAt) / 1000
  }

  /** Waits until it prints its URL and a key. */
  async isListening(): Promise<void> {
    while (!this.#api) {
      const url = /(http:\/\/127[\w.:]+)/.exec(this.#output)?.[1]
      const key = this.#key ?? /hw_[\w-]+/.exec(this.#output)?.[0]
      if (url && key) {
        this.#api = { url, key }
      } else if (this.#child.exitCode !== null || this.seconds > startTimeoutSeconds) {
        throw new Error(`The service did not start:\n${this.#output.slice(-4000)}`)
      } else {
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
  }

  /** Requests the balances of the wallet; undefined while the chain is unavailable. */
  async requestBalances(chainId = hostedChainId): Promise<WalletResponse | undefined> {
    await this.isListening()
    const { url, key } = this.#api!
    const response = await fetch(
      `${url}/v1/evm/balances/${wallet}?chain_ids=${chainId}&limit=1000`,
      { headers: { 'X-Service-Api-Key': key } },
    )
    if (response.status !== 200) {
      return undefined
    }
    const { balances, warnings = [] } = (await response.json()) as BalancesResponse
    const listed = balances.filter(({ address }) => address !== 'native')
    return {
      block: Number(response.headers.get('x-block-numbers')?.split('=')[1]),
      tokens: new Map(listed.map(({ address, amount }) => [address, amount])),
      priced: listed.filter(({ price_usd }) => price_usd !== undefined).length,
      isPartial: warnings.some(({ code }) => code === 'PARTIAL_HISTORY'),
    }
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    const force = setTimeout(() => this.#child.kill('SIGKILL'), 10_000)
    await this.#exited
    clearTimeout(force)
  }

  get output(): string {
    return this.#output
  }
}
