import {
  type Address,
  concatHex,
  encodeAbiParameters,
  type Hex,
  parseAbiParameters,
  stringToHex,
} from 'viem'
import type { Bytecodes, ContractName } from '../contracts/compileContracts.ts'
import {
  conduitControllerBytecode,
  seaportBytecode,
  uniswapV3DescriptorBytecode,
  uniswapV3DrawingBytecode,
  uniswapV3FactoryBytecode,
  uniswapV3PositionsBytecode,
  uniswapV3RouterBytecode,
} from '../contracts/publishedArtifacts.ts'
import { getAccount } from '../scenarios/accounts.ts'
import type { OddKind } from '../scenarios/Scenario.ts'
import type { World } from './World.ts'

const builder = getAccount('wright').address
const artist = getAccount('marina').address
const treasury = getAccount('treasury').address

const contractOf: Record<OddKind, ContractName> = {
  'fee-on-transfer': 'FeeOnTransferToken',
  rebasing: 'RebasingToken',
  airdropped: 'AirdropToken',
  'silent-mint': 'SilentToken',
  lying: 'LyingToken',
  bytes32: 'Bytes32Token',
  garbage: 'LogEmitter',
  plain: 'DevnetToken',
}

/** Deploys the contracts of the builder in the order of its nonces: Uniswap V3, Seaport, collections, odd tokens. */
export function deployBuilt(world: World, bytecodes: Bytecodes): void {
  const { deployment } = world
  const { wrappedNative, concentrated, conduitController } = deployment
  const { factory, drawing, descriptor } = concentrated
  const weth = wrappedNative.address
  const deploy = (bytecode: Hex, ...constructorArguments: Hex[]) => {
    world.deploy(builder, concatHex([bytecode, ...constructorArguments]))
  }
  deploy(uniswapV3FactoryBytecode)
  deploy(uniswapV3RouterBytecode, addresses(factory, weth))
  deploy(uniswapV3DrawingBytecode)
  deploy(
    uniswapV3DescriptorBytecode(drawing),
    addresses(weth),
    stringToHex(deployment.scenario.nativeCurrency.symbol, { size: 32 }),
  )
  deploy(uniswapV3PositionsBytecode, addresses(factory, weth, descriptor))
  deploy(conduitControllerBytecode)
  deploy(seaportBytecode, addresses(conduitController))
  const imitated = deployment.pools[0]
  deploy(
    bytecodes.FakePool,
    addresses(
      deployment.factory,
      imitated?.base.address ?? weth,
      imitated?.quote.address ?? factory,
    ),
  )
  for (const { standard, name, symbol, uri = '' } of deployment.collections) {
    if (standard === 721) {
      deploy(
        bytecodes.DevnetCollectible,
        encodeAbiParameters(parseAbiParameters('string, string, address'), [name, symbol, artist]),
      )
    } else {
      deploy(
        bytecodes.DevnetItems,
        encodeAbiParameters(parseAbiParameters('string, string, address, string'), [
          name,
          symbol,
          artist,
          uri,
        ]),
      )
    }
  }
  for (const { kind, name, symbol, decimals, supply } of deployment.oddTokens) {
    if (kind === 'garbage') {
      deploy(bytecodes[contractOf[kind]])
    } else {
      deploy(
        bytecodes[contractOf[kind]],
        encodeAbiParameters(parseAbiParameters('string, string, uint8, uint256, address'), [
          name,
          symbol,
          decimals,
          supply,
          treasury,
        ]),
      )
    }
  }
}

function addresses(...values: Address[]): Hex {
  return encodeAbiParameters(
    values.map(() => ({ type: 'address' })),
    values,
  )
}
