import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { balanceOfCall, decodeWord } from '../rpc/methods/Call.ts'
import type { Database } from '../store/Database.ts'
import type { AuditedBlock } from './AuditedBlock.ts'
import type { AuditMemory } from './AuditMemory.ts'
import { listHolders } from './listHolders.ts'
import { keyOf, type LedgerPair } from './Pair.ts'
import { pickRound } from './pickRound.ts'
import { readFromChain } from './readFromChain.ts'
import { writeRound } from './writeRound.ts'

/** What the audit of a chain works with. */
export interface AuditOptions {
  readonly db: Kysely<Database>
  readonly node: Pick<ChainNode, 'multicall'>
  readonly chainId: number
  readonly logger: Logger
  /** Whether all is indexed and indexes are made, and yet the chain waits for this audit to be called synced. */
  readonly isFirst?: boolean
}

/** What a round did. */
interface AuditedRound {
  /** How many calls it asked of the nodes. */
  readonly calls: number
  /** Whether there is nothing more to do at this block. */
  readonly isDone: boolean
}

/**
 * Compares some of the ledger with `balanceOf`, both at the indexed block, and reads some amounts of the tokens that are
 * read from the chain. An amount that differs is compared once more in the next round; if it differs then too, its
 * token is read from the chain. An amount below zero needs no asking.
 *
 * What no node tells, what a contract refuses to tell, and what was of a block that was taken back meanwhile, is no
 * evidence of anything.
 *
 * @param budget - the most calls to ask.
 * @throws {NodeError} when no call was answered.
 */
export async function auditRound(
  { db, node, chainId, logger, isFirst }: AuditOptions,
  memory: AuditMemory,
  budget: number,
  signal?: AbortSignal,
): Promise<AuditedRound> {
  const picked = await pickRound(db, chainId, memory, budget, isFirst)
  if (!picked) {
    return { calls: 0, isDone: true }
  }
  const { block, suspects, due, stale, isSeen, unlisted } = picked

  const impossible = picked.compared.filter(({ amount }) => amount < 0n)
  const compared = picked.compared.filter(({ amount }) => amount >= 0n)
  const asked = [...compared, ...stale.pairs]
  const calls = asked.map(({ token, holder }) => balanceOfCall(token, holder))
  const outcomes = calls.length > 0 ? await node.multicall(calls, block, { signal }) : []
  const answers = new Map(asked.map((pair, at) => [keyOf(pair), outcomes[at]]))
  const isUnasked = (pair: LedgerPair | (typeof suspects)[number]) =>
    answers.get(keyOf(pair))?.kind === 'failed'

  const found = compared.flatMap((pair) => {
    const told = decodeWord(answers.get(keyOf(pair)))
    return told === undefined ? [] : [{ ...pair, told }]
  })
  const wrong = found.filter(({ amount, told }) => amount !== told)
  const isSuspect = (pair: LedgerPair) => suspects.some((suspect) => keyOf(suspect) === keyOf(pair))
  await writeRound(db, block, {
    checked: found.length,
    turns: due.map(({ token, pairs, next }) => ({
      token,
      next: pairs.some(isUnasked) ? ('again' as const) : next,
    })),
    read: stale.pairs
      .filter((pair) => !isUnasked(pair))
      .map((pair) => ({ ...pair, amount: decodeWord(answers.get(keyOf(pair))) ?? null })),
    unread: stale.pairs.filter(isUnasked),
  })
  memory.lastTurn = stale.last
  if (memory.looked.hash === block.hash) {
    memory.looked.rounds++
  } else {
    Object.assign(memory.looked, { hash: block.hash, rounds: 1 })
  }
  const failure = outcomes.find(({ kind }) => kind === 'failed')
  if (failure?.kind === 'failed' && outcomes.every(({ kind }) => kind === 'failed')) {
    throw failure.error
  }

  for (const suspect of suspects) {
    if (!isUnasked(suspect)) {
      memory.suspects.delete(suspect.token)
    }
  }
  for (const pair of [...impossible, ...wrong.filter(isSuspect)]) {
    if (await readFromChain(db, block, pair.token)) {
      tell(logger, pair, block)
    }
  }
  for (const pair of wrong) {
    if (!isSuspect(pair) && !memory.suspects.has(pair.token)) {
      memory.suspects.set(pair.token, pair)
    }
  }

  if (unlisted !== undefined) {
    const last = await listHolders(db, chainId, unlisted, memory.listed.get(unlisted))
    if (last) {
      memory.listed.set(unlisted, last)
    } else {
      memory.listed.delete(unlisted)
    }
  }
  const isDone = isSeen && asked.length + impossible.length === 0 && !unlisted && stale.last === ''
  return { calls: calls.length, isDone }
}

function tell(
  logger: Logger,
  { token, holder, amount, told }: LedgerPair & { readonly told?: bigint },
  { number }: AuditedBlock,
): void {
  logger.warn(
    {
      token,
      holder,
      ledger: String(amount),
      balanceOf: told === undefined ? undefined : String(told),
      block: number,
    },
    'the ledger of a token disagrees with its contract: it is read from the chain from now on',
  )
}
