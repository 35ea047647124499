import { setTimeout as delay } from 'node:timers/promises'
import { API_KEY_HEADER } from '@headwater/contract'
import { type FakeChain, type FakeEvent } from '../FakeChain.ts'
import { testAddress } from '../seedChain.ts'

const walletCount = 20
const token = testAddress(0x100)
const requestIntervalMs = 25
const requestTimeoutMs = 10_000

/** Responses during a phase of the drill. */
export interface PhaseFigures {
  readonly name: string
  readonly startedAt: number
  requests: number
  /** Counts by reason: the code of the error, or why there was no response. */
  readonly failures: Map<string, number>
  /** Responses that differ from the chain at their block. */
  readonly wrong: string[]
  slowestMs: number
}

/** Requests balances at a fixed rate, and compares each response with the chain at the block that it states. */
export class Traffic {
  readonly phases: PhaseFigures[] = []
  /** Units of the responses that were received. */
  units = 0
  /** The latest block of a response. */
  servedBlock = -1
  readonly #chainId: number
  readonly #amounts: bigint[][] = [Array.from({ length: walletCount }, () => 0n)]
  readonly #pending = new Set<Promise<void>>()

  constructor(chainId: number) {
    this.#chainId = chainId
  }

  /** Mines a block in which some wallets receive tokens. */
  mine(chain: FakeChain): void {
    const number = chain.blocks.length
    const amounts = [...(this.#amounts.at(-1) ?? [])]
    const events = [number, number * 7 + 3].map((seed): FakeEvent => {
      const wallet = seed % walletCount
      const amount = BigInt(number)
      amounts[wallet] = (amounts[wallet] ?? 0n) + amount
      return { type: 'transfer', token, from: testAddress(0), to: toWallet(wallet), amount }
    })
    this.#amounts.push(amounts)
    chain.mine(events)
  }

  /** Counts the responses to later requests as those of another phase. */
  startPhase(name: string): void {
    console.error(`${name} …`)
    this.phases.push({
      name,
      startedAt: performance.now(),
      requests: 0,
      failures: new Map(),
      wrong: [],
      slowestMs: 0,
    })
  }

  /** Sends requests until the signal aborts, and resolves once all are settled. */
  async run(url: string, secret: string, signal: AbortSignal): Promise<void> {
    for (let sent = 0; !signal.aborted; sent++) {
      const request = this.#request(url, secret, sent % walletCount).finally(() =>
        this.#pending.delete(request),
      )
      this.#pending.add(request)
      await delay(requestIntervalMs)
    }
    await Promise.all(this.#pending)
  }

  async #request(url: string, secret: string, wallet: number): Promise<void> {
    const phase = this.phases.at(-1)
    if (!phase) {
      return
    }
    phase.requests++
    const startedAt = performance.now()
    const fail = (reason: string) =>
      void phase.failures.set(reason, (phase.failures.get(reason) ?? 0) + 1)
    try {
      const response = await fetch(
        `${url}/v1/evm/balances/${toWallet(wallet)}?filters=erc20&chain_ids=${this.#chainId}`,
        {
          headers: { [API_KEY_HEADER]: secret },
          signal: AbortSignal.timeout(requestTimeoutMs),
        },
      )
      const text = await response.text()
      if (!response.ok) {
        return fail(readCode(text) ?? `status ${response.status}`)
      }
      this.units += Number(response.headers.get('x-compute-units-cost'))
      this.#compare(phase, wallet, response.headers.get('x-block-numbers') ?? '', text)
    } catch (error) {
      fail(describeFailure(error))
    } finally {
      phase.slowestMs = Math.max(phase.slowestMs, performance.now() - startedAt)
    }
  }

  #compare(phase: PhaseFigures, wallet: number, blockNumbers: string, text: string): void {
    const block = Number(blockNumbers.split('=')[1])
    const { balances } = JSON.parse(text) as { balances: { amount: string }[] }
    const amount = balances[0]?.amount ?? '0'
    const expected = this.#amounts[block]?.[wallet]
    if (String(expected) !== amount) {
      phase.wrong.push(`wallet ${wallet} at block ${block}: ${amount} instead of ${expected}`)
    }
    this.servedBlock = Math.max(this.servedBlock, block)
  }
}

function toWallet(index: number) {
  return testAddress(0xab00 + index)
}

function readCode(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { code?: string }).code
  } catch {
    return undefined
  }
}

function describeFailure(error: unknown): string {
  const { name, cause } = error as Error
  return name === 'TimeoutError' ? 'timeout' : String((cause as { code?: string })?.code ?? name)
}
