import { expect, it } from 'vitest'
import { classifyContract, type ContractBehaviour } from './classifyContract.ts'

const nothing: ContractBehaviour = {
  events: 0,
  decimals: null,
  supports721: false,
  supports1155: false,
  hasOwners: false,
}
const fungible = { standard: 20, has_collectibles: false } as const

it.each<[string, Partial<ContractBehaviour>, ReturnType<typeof classifyContract>]>([
  ['an ERC20', { events: 1, decimals: 18 }, fungible],
  ['an ERC20 without decimals', { events: 1 }, fungible],
  ['an ERC20 with an indexed amount', { events: 2, decimals: 18 }, fungible],
  ['an ERC20 with false NFT events', { events: 7, decimals: 6 }, fungible],
  ['a token of a pool without events', { decimals: 18 }, fungible],
  [
    'ERC404 with both events',
    { events: 3, decimals: 18, hasOwners: true },
    { standard: 20, has_collectibles: true },
  ],
  [
    'ERC404 that claims ERC721',
    { events: 3, decimals: 18, supports721: true, hasOwners: true },
    { standard: 20, has_collectibles: true },
  ],
  [
    'an ERC721',
    { events: 2, supports721: true, hasOwners: true },
    { standard: 721, has_collectibles: true },
  ],
  [
    'an ERC721 with decimals of 0',
    { events: 2, decimals: 0, hasOwners: true },
    { standard: 721, has_collectibles: true },
  ],
  [
    'an ERC721 with false ERC20 events',
    { events: 3, supports721: true, hasOwners: true },
    { standard: 721, has_collectibles: true },
  ],
  ['an early ERC721', { events: 2, hasOwners: true }, { standard: 721, has_collectibles: true }],
  [
    'an ERC721 with reverting ownerOf',
    { events: 2, supports721: true },
    { standard: 721, has_collectibles: true },
  ],
  ['an ERC1155', { events: 4, supports1155: true }, { standard: 1155, has_collectibles: true }],
  [
    'an ERC1155 with decimals',
    { events: 4, supports1155: true, decimals: 18 },
    { standard: 1155, has_collectibles: true },
  ],
  ['a contract of both NFT standards without answers', { events: 6 }, undefined],
])('classifies %s', (_, behaviour, expected) => {
  expect(classifyContract({ ...nothing, ...behaviour })).toEqual(expected)
})
