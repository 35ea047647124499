import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { NodeLimits } from '../rpc/transport/NodeLimits.ts'
import type { Database } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'

/** After it, limits are found again, as those of hosted nodes depend on the plan. */
const maxAgeDays = 7
const writeIntervalMs = 10_000

/** The limits of one node of a chain. */
export interface FoundLimits {
  readonly chainId: number
  /** Host of the node. */
  readonly name: string
  readonly limits: NodeLimits
}

/** Loads what was found of all nodes in the last days. */
export async function loadNodeLimits(
  db: Kysely<Database>,
): Promise<(FoundLimits & { readonly key: string })[]> {
  const rows = await db
    .selectFrom('node_limits')
    .select(['chain_id', 'node', 'name', 'limits'])
    .where('found_at', '>', sql<Date>`now() - make_interval(days => ${maxAgeDays}::int)`)
    .orderBy('chain_id')
    .orderBy('name')
    .execute()
  return rows.map(({ chain_id, node, name, limits }) => ({
    chainId: Number(chain_id),
    key: toHex(node).slice(2),
    name,
    limits: JSON.parse(limits) as NodeLimits,
  }))
}

/** The nodes of a chain, and the store of the chain. */
interface LimitedChain {
  readonly chainId: number
  readonly node: Pick<ChainNode, 'limits' | 'restoreLimits'>
  readonly db: Kysely<Database>
}

/** Stores what is found of the nodes of chains, so that later processes start with it. */
export class NodeLimitStore {
  readonly #chains: readonly LimitedChain[]
  readonly #logger: Pick<Logger, 'warn'>
  /** What is stored of each node, by chain and node. */
  readonly #stored = new Map<string, string>()

  constructor(chains: readonly LimitedChain[], logger: Pick<Logger, 'warn'>) {
    this.#chains = chains
    this.#logger = logger
  }

  /** Starts the nodes with the limits that earlier processes found. */
  async restore(): Promise<void> {
    await Promise.all(this.#chains.map((chain) => this.#restoreChain(chain)))
  }

  /** Stores what is found until the signal aborts, and what was found until then. */
  async run(signal: AbortSignal, intervalMs = writeIntervalMs): Promise<void> {
    /** The chains of which the latest write failed. */
    const failing = new Set<number>()
    while (!signal.aborted) {
      await delay(intervalMs, undefined, { signal }).catch(() => {})
      for (const chain of this.#chains) {
        const { chainId } = chain
        try {
          await this.#write(chain)
          failing.delete(chainId)
        } catch (error) {
          if (!failing.has(chainId)) {
            const details = { chain: chainId, err: error }
            this.#logger.warn(details, 'failed to store the limits of nodes, retrying')
          }
          failing.add(chainId)
        }
      }
    }
  }

  async #restoreChain({ chainId, node, db }: LimitedChain): Promise<void> {
    try {
      const found = (await loadNodeLimits(db)).filter((each) => each.chainId === chainId)
      node.restoreLimits(new Map(found.map(({ key, limits }) => [key, limits])))
      for (const { key, limits } of found) {
        this.#stored.set(`${chainId} ${key}`, summarize(limits))
      }
    } catch (error) {
      this.#logger.warn({ chain: chainId, err: error }, 'failed to load the limits of nodes')
    }
  }

  /** Writes the limits that changed. They expire with the first ones, so that none is kept forever. */
  async #write({ chainId, node, db }: LimitedChain): Promise<void> {
    for (const { key, name, limits } of node.limits()) {
      const summary = summarize(limits)
      if (this.#stored.get(`${chainId} ${key}`) !== summary) {
        await sql`
          insert into node_limits as stored (chain_id, node, name, limits)
          values (${chainId}::bigint, ${fromHex(`0x${key}`)}::bytea, ${name}, ${JSON.stringify(limits)})
          on conflict (chain_id, node) do update
          set limits = excluded.limits, name = excluded.name,
            found_at = case when stored.found_at > now() - make_interval(days => ${maxAgeDays}::int)
              then stored.found_at else now() end`.execute(db)
        this.#stored.set(`${chainId} ${key}`, summary)
      }
    }
  }
}

/** Identifies limits. A rate grows again and again, so that only its magnitude counts. */
function summarize({ requestsPerSecond = Infinity, ...limits }: NodeLimits): string {
  return JSON.stringify([limits, Math.round(Math.log2(requestsPerSecond))])
}
