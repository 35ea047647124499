import { type Address, encodeAbiParameters, type Hex, maxUint256, parseAbi } from 'viem'
import { compileContracts, type SeededRandom } from '@headwater/devnet'
import {
  balancerAbi,
  balancerStableAbi,
  balancerStableFactoryBytecode,
  balancerVaultBytecode,
  balancerWeightedFactoryBytecode,
  curveAbi,
  curveCryptoAbi as cryptoAbi,
  curveStableAbi as stableAbi,
  vaultAbi,
} from '@headwater/devnet/venues'
import type { ContractClient } from './createContractClient.ts'
import {
  getStableSlope,
  solveCryptoSwap,
  solveStableSwap,
  solveWeighted,
} from './solveInvariants.ts'
import type { VenuePool } from './VenuePool.ts'

const tokenAbi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
])
interface Token {
  readonly address: Address
  readonly decimals: number
}

/** All pairs of positions. */
function listPairs(count: number): (readonly [number, number])[] {
  const all = Array.from({ length: count }, (_, index) => index)
  return all.flatMap((first) => all.slice(first + 1).map((second) => [first, second] as const))
}

/** Creates pools whose state is read: a `VenuePool` for each pair of their tokens. */
export async function startBalanceVenues(
  client: ContractClient,
  sender: Address,
): Promise<VenuePool[]> {
  const { execute, read, deploy } = client
  const bytecodes = await compileContracts()
  const tokens: Token[] = []
  for (const decimals of [18, 18, 6]) {
    const address = await deploy(
      bytecodes.DevnetToken,
      ['string', 'string', 'uint8', 'uint256', 'address'],
      ['Token', 'TOK', decimals, 2n ** 250n, sender],
    )
    tokens.push({ address, decimals })
  }
  tokens.sort((a, b) => (a.address < b.address ? -1 : 1))
  const approve = async (spender: Address) => {
    for (const { address } of tokens) {
      await execute(address, tokenAbi, 'approve', [spender, maxUint256])
    }
  }
  const toPairs = (
    of: readonly Token[],
    create: (indexes: readonly [number, number]) => Omit<VenuePool, 'tokens' | 'decimals'>,
  ) =>
    listPairs(of.length).flatMap(([first, second]): VenuePool[] => {
      const a = of[first]
      const b = of[second]
      return a && b
        ? [
            {
              ...create([first, second]),
              indexes: [first, second],
              tokens: [a.address, b.address],
              decimals: [a.decimals, b.decimals],
            },
          ]
        : []
    })

  async function createCurve(
    factory: Address,
    of: readonly Token[],
    crypto?: { readonly gamma: bigint; readonly prices: readonly bigint[] },
  ): Promise<VenuePool[]> {
    const amplification = crypto ? 5_400_000n : 200n
    const fee = 4_000_000n
    const addresses = of.map(({ address }) => address)
    await (crypto
      ? execute(factory, curveAbi, 'deploy_crypto_pool', [
          addresses,
          ...[amplification, crypto.gamma, fee, crypto.prices],
        ])
      : execute(factory, curveAbi, 'deploy_plain_pool', [addresses, amplification, fee]))
    const count = await read<bigint>(factory, curveAbi, 'pool_count', [])
    const listed = await read<Address>(factory, curveAbi, 'pool_list', [count - 1n])
    const pool = listed.toLowerCase() as Address
    await approve(pool)
    const abi = crypto ? cryptoAbi : stableAbi
    const readBalances = async () =>
      await Promise.all(of.map((_, index) => read<bigint>(pool, curveAbi, 'balances', [index])))
    const scales = [10n ** 18n, ...(crypto?.prices ?? of.slice(1).map(() => 10n ** 18n))]
    const change = async (random: SeededRandom) => {
      const balances = await readBalances()
      if (balances.some((balance) => balance > 0n) && random.chance(60)) {
        const [from, to] = random.pick(listPairs(of.length))
        const [sold, bought] = random.chance(50) ? [from, to] : [to, from]
        const amount = ((balances[sold] ?? 0n) * BigInt(random.integer(1, 200))) / 1000n
        await execute(pool, abi, 'exchange', [sold, bought, amount, 0n])
        return
      }
      const size = 10n ** BigInt(random.integer(7, 9))
      for (const [index, { address, decimals }] of of.entries()) {
        // CryptoSwap accepts no pools that are far from its price scale.
        const permille = BigInt(crypto ? random.integer(700, 1300) : random.integer(100, 4000))
        const units = (size * permille * 10n ** BigInt(15 + decimals)) / (scales[index] ?? 1n)
        await execute(address, tokenAbi, 'transfer', [pool, units])
      }
      await execute(pool, curveAbi, 'update', [sender, balances])
    }
    const type = crypto ? 'curve-crypto' : 'curve-stable'
    const units = of.map(({ decimals }) => 10n ** BigInt(18 - decimals))
    const scaleOf = (index: number) => (units[index] ?? 1n) * (scales[index] ?? 1n)
    return toPairs(of, (indexes) => {
      const order = (zeroForOne: boolean) => (zeroForOne ? indexes : indexes.toReversed())
      return {
        type,
        option: 'curveFactories',
        factory,
        pool,
        change,
        getFee: async () => fee / 10_000n,
        sell: async (zeroForOne, amountIn) =>
          await read<bigint>(pool, abi, 'get_dy', [...order(zeroForOne), amountIn]),
        readCurve: async (zeroForOne) => {
          const [sold = 0, bought = 0] = order(zeroForOne)
          const scaled = (await readBalances()).map(
            (balance, index) => (balance * scaleOf(index)) / 10n ** 18n,
          )
          const invariant = crypto ? await read<bigint>(pool, curveAbi, 'D', []) : 0n
          const count = BigInt(of.length)
          const boundRounding = () => {
            // `get_dy` takes one unit more, and rounds what it pays and the fee.
            const rounded = 3n + 10n ** 18n / scaleOf(bought)
            // `newton_y` ends once a step is less than this part of the invariant or of a balance, as of balances each is
            // rounded.
            if (crypto) {
              const largest = [invariant, ...scaled].reduce((a, b) => (a > b ? a : b))
              const limit = (largest * 11n) / 10n / 10n ** 14n
              return rounded + ((limit + count) * 10n ** 18n) / scaleOf(bought)
            }
            // `get_D` and `get_y` end at a step of one unit. The product in `D` is rounded for each coin, `b` and `c` in `y`.
            const slope = getStableSlope(scaled, bought, amplification * count)
            return rounded + ((count + 2n) * slope + 4n) / (units[bought] ?? 1n)
          }
          return {
            solve: (out) => {
              // The fee is a part of what is bought.
              const gross = (out * 10n ** 10n) / (10n ** 10n - fee)
              const wanted = { sold, bought, out: (gross * scaleOf(bought)) / 10n ** 18n }
              const amount = crypto
                ? solveCryptoSwap(scaled, wanted, { amplification, invariant, gamma: crypto.gamma })
                : solveStableSwap(scaled, wanted, amplification * count)
              return (amount * 10n ** 18n) / scaleOf(sold)
            },
            rounding: boundRounding(),
          }
        },
      }
    })
  }

  async function createBalancer(
    factory: Address,
    vault: Address,
    of: readonly Token[],
    weights?: readonly bigint[],
  ): Promise<VenuePool[]> {
    const fee = 3n * 10n ** 15n
    const amplification = 200n
    const addresses = of.map(({ address }) => address)
    const zero = `0x${'0'.repeat(40)}`
    const created = await execute(factory, weights ? balancerAbi : balancerStableAbi, 'create', [
      'Pool',
      'POOL',
      addresses,
      weights ?? amplification,
      fee,
      zero,
    ])
    const createdEvent = created.find(({ address }) => address.toLowerCase() === factory)
    const pool = `0x${createdEvent?.topics[1]?.slice(26) ?? ''}` as Address
    const id = await read<Hex>(
      pool,
      parseAbi(['function getPoolId() view returns (bytes32)']),
      'getPoolId',
      [],
    )
    const readBalances = async () =>
      (await read<[Address[], bigint[]]>(vault, balancerAbi, 'getPoolTokens', [id]))[1]
    const funds = {
      sender,
      fromInternalBalance: false,
      recipient: sender,
      toInternalBalance: false,
    }
    const join = async (kind: bigint, amounts: readonly bigint[]) => {
      const userData = encodeAbiParameters(
        [{ type: 'uint256' }, { type: 'uint256[]' }, { type: 'uint256' }],
        [kind, amounts, 0n],
      )
      const request = { assets: addresses, maxAmountsIn: amounts, userData }
      await execute(vault, balancerAbi, 'joinPool', [
        ...[id, sender, sender, { ...request, fromInternalBalance: false }],
      ])
    }
    /** Withdraws nearly all, as the vault has no room for balances that grow without end. */
    const exit = async () => {
      const shares = await read<bigint>(pool, vaultAbi, 'totalSupply', [])
      const userData = encodeAbiParameters(
        [{ type: 'uint256' }, { type: 'uint256' }],
        [1n, (shares * 9999n) / 10_000n],
      )
      const request = { assets: addresses, minAmountsOut: of.map(() => 0n), userData }
      await execute(vault, balancerAbi, 'exitPool', [
        ...[id, sender, sender, { ...request, toInternalBalance: false }],
      ])
    }
    const change = async (random: SeededRandom) => {
      const balances = await readBalances()
      if (
        balances.some((balance, index) => balance > 10n ** BigInt(12 + (of[index]?.decimals ?? 0)))
      ) {
        await exit()
      } else if (balances.includes(0n)) {
        await join(
          0n,
          of.map(({ decimals }) => 10n ** BigInt(7 + decimals)),
        )
      } else if (random.chance(60)) {
        const [from, to] = random.pick(listPairs(of.length))
        const wholeOf = (index: number) =>
          (balances[index] ?? 0n) / 10n ** BigInt(of[index]?.decimals ?? 0)
        // Far from balance, the arithmetic of stable pools does not converge.
        const isFar = wholeOf(from) > 50n * wholeOf(to) || wholeOf(to) > 50n * wholeOf(from)
        const isFromFirst = isFar ? wholeOf(from) < wholeOf(to) : random.chance(50)
        const [sold, bought] = isFromFirst ? [from, to] : [to, from]
        const amount = ((balances[sold] ?? 0n) * BigInt(random.integer(1, 250))) / 1000n
        const single = {
          poolId: id,
          kind: 0,
          assetIn: addresses[sold],
          assetOut: addresses[bought],
          amount,
          userData: '0x',
        }
        await execute(vault, balancerAbi, 'swap', [single, funds, 0n, maxUint256])
      } else {
        await join(
          1n,
          balances.map((balance) => (balance * BigInt(random.integer(0, 300))) / 1000n),
        )
      }
    }
    const units = of.map(({ decimals }) => 10n ** BigInt(18 - decimals))
    const unitOf = (index: number) => units[index] ?? 1n
    return toPairs(of, (indexes) => {
      const order = (zeroForOne: boolean) => (zeroForOne ? indexes : indexes.toReversed())
      return {
        type: weights ? 'balancer-weighted' : 'balancer-stable',
        change,
        option: 'balancerV2Factories',
        factory,
        pool: id,
        getFee: async () => fee / 10n ** 12n,
        sell: async (zeroForOne, amount) => {
          const [assetInIndex, assetOutIndex = 0] = order(zeroForOne)
          const step = { poolId: id, assetInIndex, assetOutIndex, amount, userData: '0x' }
          const deltas = await read<bigint[]>(vault, balancerAbi, 'queryBatchSwap', [
            ...[0, [step], addresses, funds],
          ])
          return -(deltas[assetOutIndex] ?? 0n)
        },
        readCurve: async (zeroForOne) => {
          const [sold = 0, bought = 0] = order(zeroForOne)
          const scaled = (await readBalances()).map((balance, index) => balance * unitOf(index))
          const count = BigInt(of.length)
          const boundRounding = () => {
            // `powUp` adds `MAX_POW_RELATIVE_ERROR`, 10⁻¹⁴, which is the error of `pow` in either direction. The quotients before
            // have 18 digits.
            if (weights) {
              const balance = scaled[bought] ?? 0n
              return (balance / 10n ** 14n) * 2n + (balance / 10n ** 18n) * 4n
            }
            // `_getTokenBalanceGivenInvariantAndAllOtherBalances` rounds `b` and `c` before it multiplies them with
            // `_AMP_PRECISION`, 1,000. At a tenth of the depth, the balance in `c` is more than the result.
            const slope = getStableSlope(scaled, bought, amplification * count)
            return 1000n + 1200n + (count + 2n) * slope + 4n
          }
          return {
            solve: (out) => {
              const wanted = { sold, bought, out: out * unitOf(bought) }
              const amount = weights
                ? solveWeighted(scaled, wanted, weights)
                : solveStableSwap(scaled, wanted, amplification * count)
              return (amount * 10n ** 18n) / (10n ** 18n - fee) / unitOf(sold)
            },
            rounding: 2n + boundRounding() / unitOf(bought),
          }
        },
      }
    })
  }

  async function createVault(asset: Token): Promise<VenuePool[]> {
    const vault = await deploy(
      bytecodes.TokenVault,
      ['string', 'string', 'address'],
      ['Vault', 'vTOK', asset.address],
    )
    await approve(vault)
    const convert = async (zeroForOne: boolean, amount: bigint) =>
      await read<bigint>(vault, vaultAbi, zeroForOne ? 'previewRedeem' : 'previewDeposit', [amount])
    const readAmounts = async () =>
      [
        await read<bigint>(vault, vaultAbi, 'totalSupply', []),
        await read<bigint>(vault, vaultAbi, 'totalAssets', []),
      ] as const
    return [
      {
        type: 'erc4626',
        option: 'erc4626Vaults',
        factory: vault,
        pool: vault,
        tokens: [vault, asset.address],
        decimals: [asset.decimals, asset.decimals],
        getFee: async () => 0n,
        change: async (random) => {
          const [, assets] = await readAmounts()
          const amount = 10n ** BigInt(asset.decimals + random.integer(3, 7))
          if (assets === 0n) {
            await execute(vault, vaultAbi, 'deposit', [amount * 1000n, sender])
            return
          }
          // Yield, which the next deposit or withdrawal makes known.
          await execute(asset.address, tokenAbi, 'transfer', [
            vault,
            assets / BigInt(random.integer(20, 100)),
          ])
          await (random.chance(50)
            ? execute(vault, vaultAbi, 'withdraw', [assets / 10n, sender, sender])
            : execute(vault, vaultAbi, 'deposit', [amount, sender]))
        },
        sell: convert,
        readCurve: async (zeroForOne) => {
          const [shares, assets] = await readAmounts()
          return {
            solve: (out) => (zeroForOne ? (out * shares) / assets : (out * assets) / shares),
            // It rounds down, with one virtual unit of each.
            rounding: 2n,
          }
        },
      },
    ]
  }

  // Curve has a factory per type.
  const stableFactory = await deploy(bytecodes.CurveFactory)
  const cryptoFactory = await deploy(bytecodes.CurveFactory)
  const vault = await deploy(
    balancerVaultBytecode,
    ['address', 'address', 'uint256', 'uint256'],
    [sender, sender, 0n, 0n],
  )
  await approve(vault)
  const weighted = await deploy(balancerWeightedFactoryBytecode, ['address'], [vault])
  const stable = await deploy(balancerStableFactoryBytecode, ['address'], [vault])
  const [first, second, third] = tokens as [Token, Token, Token]
  const weights = [25n * 10n ** 16n, 35n * 10n ** 16n, 40n * 10n ** 16n]
  return [
    ...(await createCurve(stableFactory, tokens)),
    ...(await createCurve(cryptoFactory, [first, second], {
      gamma: 145_000_000_000_000n,
      prices: [3n * 10n ** 17n],
    })),
    ...(await createCurve(cryptoFactory, tokens, {
      gamma: 1_180_000_000_000_000n,
      prices: [2n * 10n ** 18n, 5n * 10n ** 18n],
    })),
    ...(await createBalancer(weighted, vault, tokens, weights)),
    ...(await createBalancer(stable, vault, [first, third])),
    ...(await createVault(second)),
  ]
}
