import type { PoolBalances } from '../../Pool.ts'
import { createBalances, decodeUint, decodeUints, decodeWords } from '../balances.ts'
import { encodeCall } from '../calls.ts'
import { getStableSwapPrices } from '../stableSwap.ts'
import { type CallContracts, maxFeePercent } from '../Venue.ts'
import { getCryptoSwapPrices } from './cryptoSwap.ts'

interface Reference {
  readonly address: string
  readonly tokens: readonly string[]
}

const unit = 10n ** 18n
/** Of `A_precise`. */
const stablePrecision = 100n
const maxDecimals = 18n
/** Quotes are of this part of a balance. */
const quotedPart = 10_000n

/** Reads a StableSwap pool. */
export async function readStableBalances(
  { address: pool, tokens }: Reference,
  call: CallContracts,
): Promise<PoolBalances | undefined> {
  const [isKilled, oracle, precise, amplification, rates = '', ...decimalsAndBalances] = await call(
    [
      encodeCall(pool, 'is_killed()'),
      // Of pools whose creator may set one.
      encodeCall(pool, 'oracle_method()'),
      encodeCall(pool, 'A_precise()'),
      encodeCall(pool, 'A()'),
      encodeCall(pool, 'stored_rates()'),
      ...tokens.map((token) => encodeCall(token, 'decimals()')),
      ...tokens.map((_, index) => encodeCall(pool, 'balances(uint256)', [index])),
    ],
  )
  const units = toUnits(decimalsAndBalances.slice(0, tokens.length))
  const balances =
    decodeUints(decimalsAndBalances.slice(tokens.length)) ??
    decodeUints(await call(tokens.map((_, index) => encodeCall(pool, 'balances(int128)', [index]))))
  const coefficient = decodeUint(precise) ?? (decodeUint(amplification) ?? 0n) * stablePrecision
  // An array of any size, or one of as many words as coins.
  const words = decodeWords(rates)?.map(BigInt)
  const fixed = rates.length === 2 + 64 * tokens.length ? splitWords(rates) : undefined
  const stored = words?.length === tokens.length ? words : fixed
  if (!units || !balances || decodeUint(isKilled) || decodeUint(oracle)) {
    return undefined
  }
  const hasRates = stored?.some((rate, index) => rate !== (units[index] ?? 0n) * unit)
  if (hasRates || (rates !== '0x' && !stored)) {
    return undefined
  }
  const prices = getStableSwapPrices(
    balances.map((balance, index) => balance * (units[index] ?? 0n)),
    coefficient * BigInt(tokens.length),
    stablePrecision,
  )
  const read =
    prices &&
    createBalances(
      balances,
      prices.map((price, index) => price * (units[index] ?? 0n)),
    )
  return read && (await agreesWithQuotes(pool, read, 'get_dy(int128,int128,uint256)', call))
    ? read
    : undefined
}

/** Reads a CryptoSwap pool of two or three coins. */
export async function readCryptoBalances(
  { address: pool, tokens }: Reference,
  call: CallContracts,
): Promise<PoolBalances | undefined> {
  const others = tokens.slice(1)
  const [isKilled, ...results] = await call([
    encodeCall(pool, 'is_killed()'),
    encodeCall(pool, 'A()'),
    encodeCall(pool, 'gamma()'),
    encodeCall(pool, 'D()'),
    ...tokens.map((token) => encodeCall(token, 'decimals()')),
    ...tokens.map((_, index) => encodeCall(pool, 'balances(uint256)', [index])),
    ...(others.length === 1
      ? [encodeCall(pool, 'price_scale()')]
      : others.map((_, index) => encodeCall(pool, 'price_scale(uint256)', [index]))),
  ])
  const values = decodeUints(results)
  const units = toUnits(results.slice(3, 3 + tokens.length))
  if (!values || !units || decodeUint(isKilled)) {
    return undefined
  }
  const [amplification = 0n, gamma = 0n, invariant = 0n] = values
  const balances = values.slice(3 + tokens.length, 3 + 2 * tokens.length)
  // In units of the first coin.
  const scales = [unit, ...values.slice(3 + 2 * tokens.length)].map(
    (price, index) => price * (units[index] ?? 0n),
  )
  const prices = getCryptoSwapPrices(
    balances.map((balance, index) => (balance * (scales[index] ?? 0n)) / unit),
    { amplification, gamma, invariant },
  )
  const read =
    prices &&
    createBalances(
      balances,
      prices.map((price, index) => price * (scales[index] ?? 0n)),
    )
  return read && (await agreesWithQuotes(pool, read, 'get_dy(uint256,uint256,uint256)', call))
    ? read
    : undefined
}

/** What balances are multiplied with, to have 18 decimals. */
function toUnits(results: readonly string[]): bigint[] | undefined {
  const decimals = decodeUints(results)
  return decimals?.every((each) => each <= maxDecimals)
    ? decimals.map((each) => 10n ** (maxDecimals - each))
    : undefined
}

function splitWords(data: string): bigint[] {
  return (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}

/**
 * Whether a pool trades at its prices: of the quotes in both directions, the geometric mean has no fee and is within 1 %
 * of the price, and the fees are at most {@link maxFeePercent} each. Otherwise it has another invariant, such as those of later
 * versions, or arbitrage does not correct it.
 */
async function agreesWithQuotes(
  pool: string,
  { balances, prices }: PoolBalances,
  signature: string,
  call: CallContracts,
): Promise<boolean> {
  const others = balances.map((_, index) => index).slice(1)
  const amounts = balances.map((balance) => balance / quotedPart + 1n)
  const results = await call(
    others.flatMap((other) => [
      encodeCall(pool, signature, [0, other, amounts[0] ?? 0n]),
      encodeCall(pool, signature, [other, 0, amounts[other] ?? 0n]),
    ]),
  )
  return others.every((other, position) => {
    const sold = decodeUint(results[2 * position])
    const bought = decodeUint(results[2 * position + 1])
    const amount = amounts[0] ?? 0n
    const otherAmount = amounts[other] ?? 0n
    const price = prices[0] ?? 0n
    const otherPrice = prices[other] ?? 0n
    if (!sold || !bought) {
      return false
    }
    // (sold / amount) / (bought / otherAmount) is the square of price / otherPrice.
    const quoted = sold * otherAmount * otherPrice ** 2n
    const expected = bought * amount * price ** 2n
    const difference = quoted > expected ? quoted - expected : expected - quoted
    const minShare = (100n - maxFeePercent) ** 2n
    const isCheap = sold * bought * 10_000n >= amount * otherAmount * minShare
    return difference * 50n <= expected && isCheap
  })
}
