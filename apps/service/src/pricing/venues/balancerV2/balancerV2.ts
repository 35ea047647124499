import { toEventSelector } from 'viem/utils'
import { decodeAddress, getWord, hasWords } from '../../../indexing/decode/words.ts'
import type { Log } from '../../../rpc/methods/Log.ts'
import type { PoolBalances } from '../../Pool.ts'
import {
  createBalances,
  decodeUint,
  decodeUints,
  decodeWords,
  getBalancesPrice,
} from '../balances.ts'
import { decodePoolAddress, encodeCall } from '../calls.ts'
import { getStableSwapPrices } from '../stableSwap.ts'
import {
  type CallContracts,
  maxFeePercent,
  type PoolEvent,
  type PoolRegistration,
  type PoolStateEvent,
  type Venue,
} from '../Venue.ts'

/** The highest fee of a pool with a price, of 10¹⁸. */
const maxFee = maxFeePercent * 10n ** 16n

/**
 * Balancer V2: weighted and stable pools of up to eight tokens, by their factories; the vault, which has their balances
 * and emits their events, is read from these. The tokens of a composable stable pool do not include its own shares.
 *
 * A pool has no price while it is paused, and while its fee is above {@link maxFeePercent}. Stable pools that multiply a token by
 * a rate are not indexed: the creator of a pool chooses the contract that returns it.
 */
export const balancerV2 = {
  factoryFunction: 'getVault()',
  // Neither pools nor the factories of Balancer V3 have it.
  furtherFunctions: ['getPauseConfiguration()'],
  creations: { [toEventSelector('PoolCreated(address)')]: decodePoolCreated },
  changes: {
    [toEventSelector('Swap(bytes32,address,address,uint256,uint256)')]: decodeTouch,
    [toEventSelector('PoolBalanceChanged(bytes32,address,address[],int256[],uint256[])')]:
      decodeTouch,
    [toEventSelector('PoolBalanceManaged(bytes32,address,address,int256,int256)')]: decodeTouch,
  },
  models: {
    'balancer-weighted': {
      state: 'balances',
      hasShares: true,
      getSpotPrice: getBalancesPrice,
      readBalances: readWeighted,
    },
    'balancer-stable': {
      state: 'balances',
      hasShares: true,
      getSpotPrice: getBalancesPrice,
      readBalances: readStable,
    },
  },
  findPools: () => [],
} as const satisfies Venue

function decodeTouch({ address: emitter, topics }: Log): PoolStateEvent | undefined {
  const [, pool] = topics
  return pool ? { kind: 'touch', pool, emitter } : undefined
}

function decodePoolCreated({ address: factory, topics }: Log): PoolRegistration | undefined {
  const pool = decodeAddress(topics[1])
  return pool && topics.length === 2
    ? { kind: 'registration', factory, read: (call) => readPool(pool, factory, call) }
    : undefined
}

async function readPool(
  pool: string,
  factory: string,
  call: CallContracts,
): Promise<PoolEvent | undefined> {
  const [id = '', vault, weights = '', amplification = '', providers = '0x'] = await call([
    encodeCall(pool, 'getPoolId()'),
    encodeCall(factory, 'getVault()'),
    encodeCall(pool, 'getNormalizedWeights()'),
    encodeCall(pool, 'getAmplificationParameter()'),
    encodeCall(pool, 'getRateProviders()'),
  ])
  const emitter = decodePoolAddress(vault)
  if (!hasWords(id, 1) || !emitter) {
    return undefined
  }
  const type = decodeWords(weights)
    ? 'balancer-weighted'
    : hasWords(amplification, 3)
      ? 'balancer-stable'
      : undefined
  // The first versions have no such function. A contract may return another rate to a trade than to an `eth_call`.
  const mayHaveRates = providers !== '0x' && !decodeWords(providers)?.every((word) => !BigInt(word))
  if (type === 'balancer-stable' && mayHaveRates) {
    return undefined
  }
  const held = await readVault(getWord(id, 0), emitter, call)
  const tokens = held && [...held.keys()].filter((token) => token !== pool)
  return type && tokens && tokens.length > 1
    ? {
        kind: 'pool',
        type,
        address: getWord(id, 0),
        factory,
        emitter,
        tokens,
        fee: null,
        tickSpacing: null,
      }
    : undefined
}

/** Reads the balances of a pool by token, in the order of the vault. */
async function readVault(
  id: string,
  vault: string | undefined,
  call: CallContracts,
): Promise<Map<string, bigint> | undefined> {
  if (!vault) {
    return undefined
  }
  const [data = ''] = await call([encodeCall(vault, 'getPoolTokens(bytes32)', [id])])
  const tokens = decodeWords(data, 0)
  const balances = decodeWords(data, 1)
  return tokens && balances && tokens.length === balances.length
    ? new Map(
        tokens.map((word, index) => [decodeAddress(word) ?? '', BigInt(balances[index] ?? 0)]),
      )
    : undefined
}

/** A pool by which a state is read. */
interface Reference {
  readonly address: string
  readonly factory: string
  readonly tokens: readonly string[]
}

/**
 * Reads what both types have.
 *
 * @param signatures - of functions of the pool.
 * @returns the balances in the order of `tokens`, and the results of the functions.
 */
async function readTradable(
  { address: id, factory, tokens }: Reference,
  signatures: readonly string[],
  call: CallContracts,
): Promise<
  { balances: bigint[]; all: ReadonlyMap<string, bigint>; results: readonly string[] } | undefined
> {
  // The first bytes of the id are the address of the pool.
  const pool = id.slice(0, 42)
  const [vault, fee, paused, ...results] = await call([
    encodeCall(factory, 'getVault()'),
    encodeCall(pool, 'getSwapFeePercentage()'),
    encodeCall(pool, 'getPausedState()'),
    ...signatures.map((signature) => encodeCall(pool, signature)),
  ])
  const all = await readVault(id, decodePoolAddress(vault), call)
  const balances = tokens.map((token) => all?.get(token) ?? 0n)
  const isTradable =
    decodeUint(paused) === 0n &&
    (decodeUint(fee) ?? maxFee + 1n) <= maxFee &&
    !balances.includes(0n)
  return all && isTradable ? { balances, all, results } : undefined
}

/** The price of a token is its weight divided by its balance. */
async function readWeighted(
  pool: Reference,
  call: CallContracts,
): Promise<PoolBalances | undefined> {
  const read = await readTradable(pool, ['getNormalizedWeights()'], call)
  const weights = decodeWords(read?.results[0] ?? '')?.map(BigInt)
  return read && weights?.length === pool.tokens.length
    ? createBalances(
        read.balances,
        read.balances.map((balance, index) => ((weights[index] ?? 0n) << 256n) / balance),
      )
    : undefined
}

async function readStable(pool: Reference, call: CallContracts): Promise<PoolBalances | undefined> {
  const signatures = ['getAmplificationParameter()', 'getScalingFactors()']
  const read = await readTradable(pool, signatures, call)
  const [amplification = '', factors = ''] = read?.results ?? []
  if (!read || !hasWords(amplification, 3)) {
    return undefined
  }
  const scales = decodeWords(factors)?.map(BigInt) ?? (await readScales([...read.all.keys()], call))
  if (scales?.length !== read.all.size) {
    return undefined
  }
  // With or without a precision of 18 digits, by version.
  const order = [...read.all.keys()]
  const units = pool.tokens.map((token) => scales[order.indexOf(token)] ?? 0n)
  const [value, , precision] = [0, 1, 2].map((word) => BigInt(getWord(amplification, word)))
  const scaled = read.balances.map((balance, index) => balance * (units[index] ?? 0n))
  const prices = getStableSwapPrices(
    scaled,
    (value ?? 0n) * BigInt(pool.tokens.length),
    precision ?? 0n,
  )
  return (
    prices &&
    createBalances(
      read.balances,
      prices.map((price, index) => price * (units[index] ?? 0n)),
    )
  )
}

/** The factors that bring tokens to 18 digits. Pools of the first factories do not return them. */
async function readScales(
  tokens: readonly string[],
  call: CallContracts,
): Promise<bigint[] | undefined> {
  const decimals = decodeUints(await call(tokens.map((token) => encodeCall(token, 'decimals()'))))
  return decimals?.every((each) => each <= 18n)
    ? decimals.map((each) => 10n ** (18n - each))
    : undefined
}
