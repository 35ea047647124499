import type { Address } from 'viem'

/** The role of an account. */
export type AccountRole =
  | 'deployer'
  | 'treasury'
  | 'maker'
  | 'trader'
  | 'provider'
  | 'holder'
  | 'builder'
  | 'ranger'
  | 'artist'
  | 'collector'

/** An account of anvil's test mnemonic; the same on both chains. */
export interface DevAccount {
  readonly name: string
  readonly address: Address
  readonly role: AccountRole
  /** Initial balance in whole native tokens. */
  readonly native: number
  /** A description for lists of wallets. */
  readonly description: string
}

/** In the order of anvil's accounts (`test test test test test test test test test test test junk`). */
export const accounts: readonly DevAccount[] = [
  {
    name: 'deployer',
    address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    role: 'deployer',
    native: 50,
    description: 'Deploys contracts and does nothing else',
  },
  {
    name: 'treasury',
    address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    role: 'treasury',
    native: 24_000,
    description: 'Got every supply, opened the pools, holds the most',
  },
  {
    name: 'maker',
    address: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
    role: 'maker',
    native: 900,
    description: 'Market maker: trades all the time',
  },
  trader('alice', '0x90f79bf6eb2c4f870365e785982e1f101e93b906', 42),
  trader('bob', '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65', 18),
  provider('carol', '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc', 160),
  provider('dave', '0x976ea74026e726554db657fa54763abd0c3a0aa9', 75),
  trader('erin', '0x14dc79964da2c08b23698b3d3cc7ca32193d9955', 9),
  trader('frank', '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f', 27),
  {
    name: 'grace',
    address: '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
    role: 'holder',
    native: 3_100,
    description: 'Receives and keeps: has never sent a token',
  },
  trader('heidi', '0xbcd4042de499d14e55001ccbb24a551f3b954096', 12),
  trader('ivan', '0x71be63f3384f5fb98995898a86b02fb2426c5788', 33),
  trader('judy', '0xfabb0ac9d68b0b445fb7357272ff202c5651694a', 6),
  trader('kim', '0x1cbd3b2770909d4e10f157cabc84c7264073c9ec', 21),
  trader('leo', '0xdf3e18d64bc6a983f673ab319ccae4f1a57c7097', 15),
  provider('nina', '0xcd3b766ccdd6ae721141f452c550ca635964ce71', 220),
  trader('oscar', '0x2546bcd3c84621e976d8185a91a922ae77ecec30', 4),
  trader('peggy', '0xbda5747bfd65f08deb54cb465eb87d40e51b197e', 55),
  {
    name: 'quinn',
    address: '0xdd2fd4581271e230360230f9337d5c0430bf44c0',
    role: 'holder',
    native: 2,
    description: 'Holds little: what others sent',
  },
  {
    name: 'sybil',
    address: '0x8626f6940e2eb28930efb4cef49b2d1f2c9c1199',
    role: 'holder',
    native: 30,
    description: 'Distributes spam tokens to all accounts',
  },
  {
    name: 'wright',
    address: '0x09db0a93b389bef724429898f539aeb7ac2dd55f',
    role: 'builder',
    native: 50,
    description: 'Deploys what the deployer does not: Uniswap V3, Seaport, collections',
  },
  {
    name: 'ranger',
    address: '0x02484cb50aac86eae85610d6f4bf026f30f6627d',
    role: 'ranger',
    native: 6_000,
    description: 'Owns the positions of Uniswap V3 and follows its prices',
  },
  {
    name: 'marina',
    address: '0x08135da0a343e492fa2d4282f2ae34c6c5cc1bbe',
    role: 'artist',
    native: 40,
    description: 'Artist: mints NFTs and earns a share of every sale',
  },
  collector('otto', '0x5e661b79fe2d3f6ce70f5aac07d8cd9abb2743f1', 340),
  collector('zoe', '0x61097ba76cd906d2ba4fd106e757f7eb455fc295', 510),
]

/** An unused address, for the empty state of a page. */
export const emptyWallet: Address = '0x00000000000000000000000000000000c0ffee00'

/** The account with a name; throws if there is none. */
export function getAccount(name: string): DevAccount {
  const account = accounts.find((candidate) => candidate.name === name)
  if (!account) {
    throw new RangeError(`The devnet has no account named "${name}"`)
  }
  return account
}

function trader(name: string, address: Address, native: number): DevAccount {
  return { name, address, role: 'trader', native, description: 'Swaps and sends tokens' }
}

function provider(name: string, address: Address, native: number): DevAccount {
  return { name, address, role: 'provider', native, description: 'Provides liquidity to pools' }
}

function collector(name: string, address: Address, native: number): DevAccount {
  return { name, address, role: 'collector', native, description: 'Collects NFTs' }
}
