import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  maxUint256,
  padHex,
  parseAbi,
  parseAbiParameters,
  toEventSelector,
  zeroAddress,
} from 'viem'
import type { DevnetChain, PlannedTransaction, SeededRandom } from '@headwater/devnet'
import type { Counted } from './Recount.ts'

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function deposit() payable',
  'function withdraw(uint256 amount)',
  'function rebase(uint256 permille)',
  'function mintSilently(address to, uint256 amount)',
  'function lie(address from, address to, uint256 amount)',
  'function emitLog(bytes32[] topics, bytes data)',
  'function pretend(uint112 reserve0, uint112 reserve1, uint160 sqrtPriceX96)',
  'function mint(address to, uint256 id, string uri)',
  'function mint(address to, uint256 id, uint256 amount)',
  'function mintBatch(address to, uint256[] ids, uint256[] amounts)',
  'function burn(uint256 id)',
  'function burnBatch(uint256[] ids, uint256[] amounts)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
  'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Swap swap)',
  'struct Increase { uint256 tokenId; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function increaseLiquidity(Increase increase)',
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function decreaseLiquidity(Decrease decrease)',
])

const topic = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  single: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  batch: toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
  deposit: toEventSelector('Deposit(address,uint256)'),
  sync: toEventSelector('Sync(uint112,uint112)'),
  swap: toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)'),
  pair: toEventSelector('PairCreated(address,address,address,uint256)'),
  pool: toEventSelector('PoolCreated(address,address,uint24,int24,address)'),
  fulfilled: toEventSelector(
    'OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])',
  ),
}

/** The chain that transactions are written for, and its random source. */
interface Context {
  readonly chain: DevnetChain
  readonly random: SeededRandom
  /** The state of the chain at a recent block. */
  readonly counted: Counted
}

/**
 * Writes a random transaction. Most succeed, some revert, and some are adversarial. The result is not predicted: the state
 * of the contracts is the expected state.
 */
export function writeTransactions(context: Context): PlannedTransaction[] {
  const { random } = context
  const write = random.pick([
    ...[transferToken, transferToken, transferToken, transferFrom, wrap, wrap],
    ...[moveCollectible, moveCollectible, mintItems, moveItems, moveItems],
    ...[swap, swap, swapConcentrated, swapConcentrated, moveLiquidity, moveLiquidity],
    ...[useOddToken, useOddToken, logGarbage, logGarbage, pretendPool],
  ])
  return write(context)
}

function transferToken({ chain, random, counted }: Context): PlannedTransaction[] {
  const held = [...counted.balances].filter(
    ([key, { amount }]) =>
      key.endsWith(' 20') && amount > 0n && isAccount(chain, key.split(' ')[0]),
  )
  const [key, row] = random.pick(held)
  const [from, token] = key.split(' ') as [Address, Address]
  const share = random.pick([0n, 1n, row.amount, row.amount / 3n, row.amount / 1_000n])
  const to = random.pick([from, zeroAddress, token, ...people(chain, random)])
  return [call(from, token, 'transfer', [to, share])]
}

/** A transfer by an approved spender: the sender of the transaction is not the owner of the tokens. */
function transferFrom(context: Context): PlannedTransaction[] {
  const { chain, random } = context
  const owner = account(context)
  const taker = account(context)
  const token = random.pick(chain.tokens).address
  const amount = BigInt(random.integer(0, 1_000_000))
  return [
    call(owner, token, 'approve', [taker, maxUint256]),
    call(taker, token, 'transferFrom', [owner, random.pick(people(chain, random)), amount]),
  ]
}

function wrap(context: Context): PlannedTransaction[] {
  const { chain, random } = context
  const weth = chain.token('WETH').address
  const from = account(context)
  const amount = BigInt(random.integer(0, 1_000_000)) * 10n ** 9n
  return random.chance(60)
    ? [{ ...call(from, weth, 'deposit', []), value: amount }]
    : [call(from, weth, 'withdraw', [amount])]
}

/** A swap in a Uniswap V2 pair, to the swapper or to another recipient. */
function swap(context: Context): PlannedTransaction[] {
  const { chain, random } = context
  const pool = random.pick(chain.pools)
  const path = [pool.base.address, pool.quote.address]
  if (random.chance(50)) {
    path.reverse()
  }
  const from = trader(context)
  const [tokenIn = zeroAddress] = path
  const to = random.pick([from, random.pick(people(chain, random))])
  return [
    call(from, tokenIn, 'approve', [chain.router, maxUint256]),
    call(from, chain.router, 'swapExactTokensForTokens', [
      ...[amountOf(context, from, tokenIn), 0n, path, to, maxUint256],
    ]),
  ]
}

/** A swap in a Uniswap V3 pool; a large one crosses several positions. */
function swapConcentrated(context: Context): PlannedTransaction[] {
  const { chain, random } = context
  const { base, quote, plan } = random.pick(chain.concentratedPools)
  const [tokenIn, tokenOut] = random.chance(50)
    ? [base.address, quote.address]
    : [quote.address, base.address]
  const from = trader(context)
  const exact = {
    tokenIn,
    tokenOut,
    fee: plan.fee,
    recipient: from,
    deadline: maxUint256,
    amountIn: amountOf(context, from, tokenIn),
    amountOutMinimum: 0n,
    sqrtPriceLimitX96: 0n,
  }
  return [
    call(from, tokenIn, 'approve', [chain.concentratedRouter, maxUint256]),
    call(from, chain.concentratedRouter, 'exactInputSingle', [exact]),
  ]
}

/** Adds liquidity to a position of Uniswap V3, or removes some or all of it. */
function moveLiquidity({ chain, random, counted }: Context): PlannedTransaction[] {
  const ranger = chain.accounts.find(({ role }) => role === 'ranger')?.address ?? zeroAddress
  const tokenId = BigInt(random.integer(1, 13))
  const least = { amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 }
  if (random.chance(35)) {
    const amount0Desired = 10n ** 15n
    const amount1Desired = 10n ** 15n
    const added = { tokenId, amount0Desired, amount1Desired, ...least }
    return [call(ranger, chain.positionManager, 'increaseLiquidity', [added])]
  }
  const whole = random.pick([...counted.positions.values()])
  const liquidity = random.pick([whole, whole / 5n, 1n])
  return [
    call(ranger, chain.positionManager, 'decreaseLiquidity', [{ tokenId, liquidity, ...least }]),
  ]
}

/** Mints, transfers (also to the owner itself) or burns an ERC721; a burned one may be minted again. */
function moveCollectible(context: Context): PlannedTransaction[] {
  const { chain, random, counted } = context
  const { address } = chain.collection('BUOY')
  const artist = chain.accounts.find(({ role }) => role === 'artist')?.address ?? zeroAddress
  const owned = [...counted.items]
    .map(([key, { amount }]) => [...key.split(' '), amount] as [Address, string, string, bigint])
    .filter(([, contract, , amount]) => contract === address && amount > 0n)
  if (owned.length === 0 || random.chance(30)) {
    const id = random.chance(50) ? BigInt(random.integer(1, 60)) : maxUint256 - 7n
    return [call(artist, address, 'mint', [random.pick(people(chain, random)), id, ''])]
  }
  const [owner, , id] = random.pick(owned)
  if (!isAccount(chain, owner)) {
    return []
  }
  if (random.chance(25)) {
    return [call(owner, address, 'burn', [BigInt(id)])]
  }
  const to = random.pick([owner, ...people(chain, random)])
  return [call(owner, address, 'transferFrom', [owner, to, BigInt(id)])]
}

function mintItems({ chain, random }: Context): PlannedTransaction[] {
  const { address } = chain.collection('CRATE')
  const artist = chain.accounts.find(({ role }) => role === 'artist')?.address ?? zeroAddress
  const to = random.pick(people(chain, random))
  if (random.chance(40)) {
    const id = random.pick([BigInt(random.integer(1, 9)), maxUint256])
    return [call(artist, address, 'mint', [to, id, BigInt(random.integer(0, 50))])]
  }
  return [call(artist, address, 'mintBatch', [to, ...batch(random)])]
}

/** A batch with repeated ids and zero amounts. */
function moveItems(context: Context): PlannedTransaction[] {
  const { chain, random } = context
  const { address } = chain.collection('CRATE')
  const holders = chain.accounts.filter(({ role }) => role === 'collector' || role === 'trader')
  const from = random.pick(holders).address
  const [ids, amounts] = batch(random)
  if (random.chance(25)) {
    return [call(from, address, 'burnBatch', [ids, amounts])]
  }
  const to = random.pick([from, ...people(chain, random)])
  return [call(from, address, 'safeBatchTransferFrom', [from, to, ids, amounts, '0x'])]
}

function batch(random: SeededRandom): [bigint[], bigint[]] {
  const length = random.integer(0, 5)
  const draw = (minimum: number, maximum: number) =>
    Array.from({ length }, () => BigInt(random.integer(minimum, maximum)))
  return [draw(1, 4), draw(0, 3)]
}

function useOddToken(context: Context): PlannedTransaction[] {
  const { chain, random } = context
  const token = random.pick(chain.oddTokens)
  const treasury = chain.accounts.find(({ role }) => role === 'treasury')?.address ?? zeroAddress
  const to = random.pick([zeroAddress, treasury, ...people(chain, random)])
  const amount = random.pick([0n, 1n, token.supply / 7n, token.supply / 1_000_000n])
  const own = {
    rebasing: () => call(treasury, token.address, 'rebase', [BigInt(random.integer(900, 1_100))]),
    'silent-mint': () => call(treasury, token.address, 'mintSilently', [to, amount]),
    lying: () => call(account(context), token.address, 'lie', [account(context), to, amount]),
  }
  const kind = token.kind as keyof typeof own
  const write = random.chance(50) ? own[kind] : undefined
  return [write?.() ?? call(treasury, token.address, 'transfer', [to, amount])]
}

/** Malformed logs that resemble standard events. */
function logGarbage(context: Context): PlannedTransaction[] {
  const { chain, random } = context
  const emitter = chain.oddTokens.find(({ kind }) => kind === 'garbage')
  if (!emitter) {
    return []
  }
  const a = account(context)
  const b = random.pick(people(chain, random))
  const dirty = `0x${'f'.repeat(64)}` as const
  const word = (value: bigint) => encodeAbiParameters(parseAbiParameters('uint256'), [value])
  const lists = (ids: bigint[], amounts: bigint[]) =>
    encodeAbiParameters(parseAbiParameters('uint256[], uint256[]'), [ids, amounts])
  const endless = `0x${'40'.padStart(64, '0')}${'80'.padStart(64, '0')}${'f'.repeat(128)}` as const
  const [topics, data] = random.pick<readonly [readonly Hex[], Hex]>([
    [[], '0x'],
    [[topic.transfer], word(1n)],
    [[topic.transfer, padHex(a)], word(1n)],
    [[topic.transfer, padHex(a), padHex(b)], '0x'],
    [[topic.transfer, padHex(a), padHex(b)], '0x01'],
    [[topic.transfer, padHex(a), padHex(b)], word(maxUint256)],
    [[topic.transfer, padHex(zeroAddress), padHex(zeroAddress)], word(5n)],
    [[topic.transfer, dirty, padHex(b)], word(3n)],
    [[topic.transfer, padHex(a), padHex(b), word(7n)], '0x'],
    [[topic.transfer, padHex(a), padHex(b), dirty], word(7n)],
    [[topic.single, padHex(a), padHex(a), padHex(b)], '0x'],
    [[topic.single, padHex(a), padHex(a), padHex(b)], `${word(7n)}${word(9n).slice(2)}`],
    [[topic.batch, padHex(a), padHex(a), padHex(b)], endless],
    [[topic.batch, padHex(a), padHex(a), padHex(b)], lists([1n, 2n], [3n])],
    [[topic.batch, padHex(a), padHex(a), padHex(b)], lists([1n, 1n, 2n], [3n, maxUint256, 0n])],
    [[topic.batch, padHex(a), padHex(b)], lists([1n], [3n])],
    [[topic.deposit, padHex(a)], word(10n ** 18n)],
    [[topic.sync], `${word(1n)}${word(1n).slice(2)}`],
    [[topic.swap, padHex(a), padHex(b)], `${word(1n)}${word(1n).slice(2).repeat(4)}`],
    [[topic.pair, padHex(a), padHex(b)], `${padHex(b)}${word(1n).slice(2)}`],
    [[topic.pool, padHex(a), padHex(b), word(500n)], `${word(10n)}${padHex(b).slice(2)}`],
    [[topic.fulfilled, padHex(a), padHex(b)], endless],
  ])
  return [call(a, emitter.address, 'emitLog', [topics, data])]
}

function pretendPool(context: Context): PlannedTransaction[] {
  const { chain, random } = context
  const reserve = BigInt(random.integer(1, 1_000_000))
  return [call(account(context), chain.fakePool, 'pretend', [reserve, 10n ** 24n, 2n ** 100n])]
}

/** A part of a holder's balance, or more than it. */
function amountOf({ counted, random }: Context, holder: string, token: string): bigint {
  const { amount } = counted.balances.get(`${holder} ${token} 20`) ?? { amount: 0n }
  return random.pick([amount / 100n, amount / 10n, amount / 2n, amount + 1n])
}

function trader({ chain, random }: Context): Address {
  const wealthy = chain.accounts.filter(({ role }) => role === 'treasury' || role === 'maker')
  const others = chain.accounts.filter(({ role }) => role === 'trader' || role === 'provider')
  return random.pick(random.chance(50) ? wealthy : others).address
}

function account({ chain, random }: Pick<Context, 'chain' | 'random'>): Address {
  return random.pick(chain.accounts).address
}

/** The accounts and a new address. */
function people(chain: DevnetChain, random: SeededRandom): Address[] {
  const stranger = padHex(`0x${random.integer(1, 40).toString(16)}`, { size: 20 })
  return [stranger, ...chain.accounts.map(({ address }) => address)]
}

function isAccount(chain: DevnetChain, address: string | undefined): boolean {
  return chain.accounts.some((candidate) => candidate.address === address)
}

function call(
  from: Address,
  to: Address,
  functionName: string,
  args: readonly unknown[],
): PlannedTransaction {
  const data = encodeFunctionData({ abi, functionName, args } as never)
  return { from, to, data, value: 0n, gas: 600_000 }
}
