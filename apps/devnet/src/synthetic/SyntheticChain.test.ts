import { expect, it } from 'vitest'
import { callContract } from './callContract.ts'
import { SyntheticBlocks } from './SyntheticBlocks.ts'
import { SyntheticChain } from './SyntheticChain.ts'

const wallet = `0x${'ab'.repeat(20)}`
const token = (index: number, decimals = 18) => ({
  address: `0x${index.toString(16).padStart(40, '0')}`,
  symbol: `T${index}`,
  name: `Token ${index}`,
  decimals,
})
const createChain = () =>
  new SyntheticChain({
    chainId: 7,
    seed: 'test',
    blocks: 500,
    transfersPerBlock: 4,
    secondsBetweenBlocks: 12,
    tokens: [token(1), token(2, 6), token(3)],
    holders: 10,
    wallets: [{ address: wallet, tokens: 3 }],
  })

it('has the balances that its transfers add up to, at any block', () => {
  const chain = createChain()
  chain.mine()
  chain.mine()
  for (const block of [1, 100, chain.head - 1, chain.head]) {
    for (const account of [wallet, ...chain.accounts.slice(2, 5)]) {
      const counted = chain.countBalances(account, block)
      const read = [0, 1, 2].map((index) => chain.balanceOf(index, account, block))
      expect(read).toEqual([1, 2, 3].map((index) => counted.get(token(index).address) ?? 0n))
      expect(read.every((amount) => amount >= 0n)).toBe(true)
    }
  }
  expect(chain.countBalances(wallet, chain.head).size).toBe(3)
})

it('has the same history for the same seed', () => {
  const first = createChain()
  const second = createChain()
  expect(first.transfersOf(77)).toEqual(second.transfersOf(77))
  expect(new SyntheticBlocks(first).hashOf(77)).toBe(new SyntheticBlocks(second).hashOf(77))
})

it('executes aggregated calls like the single ones', () => {
  const chain = createChain()
  const { address } = token(1)
  const data = `0x70a08231${wallet.slice(2).padStart(64, '0')}`
  const word = callContract(chain, { to: address, data }, chain.head)
  expect(BigInt(word)).toBe(chain.balanceOf(0, wallet, chain.head))
  const call = `${address.slice(2)}0024${data.slice(2)}`
  const unknown = `${address.slice(2)}000412345678`
  // Code of five bytes, which begins by reading how much follows it.
  const code = `0x6005380300${call}${unknown}`
  expect(callContract(chain, { data: code }, chain.head)).toBe(
    `0x00${`010020${word.slice(2)}`}000000`,
  )
})

it('finds logs by topics', () => {
  const chain = createChain()
  const blocks = new SyntheticBlocks(chain)
  const topic = `0x${wallet.slice(2).padStart(64, '0')}`
  const received = blocks.findLogs(0, chain.head, { topics: [null, null, [topic]] })
  expect(received.map(({ address }) => address)).toEqual(
    [1, 2, 3].map((each) => token(each).address),
  )
  const [log] = received
  const number = Number(log?.blockNumber)
  expect(blocks.blockOf(number, false)).toMatchObject({ hash: log?.blockHash })
  expect(blocks.receiptsOf(number)).toHaveLength(2)
})
