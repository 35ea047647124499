import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hex } from 'viem'

const require = createRequire(import.meta.url)
const sourceFolder = fileURLToPath(new URL('../../contracts', import.meta.url))
const cacheFolder = new URL('../../node_modules/.cache/headwater-devnet/', import.meta.url)

/** The contracts in the folder `contracts`, each in a file of its name. */
export type ContractName =
  | 'DevnetToken'
  | 'DevnetCollectible'
  | 'DevnetItems'
  | 'FakePool'
  | 'FeeOnTransferToken'
  | 'RebasingToken'
  | 'AirdropToken'
  | 'SilentToken'
  | 'LyingToken'
  | 'Bytes32Token'
  | 'LogEmitter'
  | 'OddCollection'
  | 'HybridToken'
  | 'Erc404Token'
  | 'ItemToken'
  | 'LegacyPunks'
  | 'LegacyKitties'
  | 'OversizedToken'
  | 'SlipstreamFactory'
  | 'SolidlyFactory'
  | 'SolidlyPairFactory'
  | 'CurveFactory'
  | 'TokenVault'
  | 'FixedPriceFeed'
  | 'StakingToken'
  | 'RebasedStake'
  | 'VenueTrader'

/** Creation bytecode by contract name. */
export type Bytecodes = Readonly<Record<ContractName, Hex>>

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

interface Solc {
  compile(input: string, callbacks: { import: (path: string) => { contents: string } }): string
}

let compiled: Promise<Bytecodes> | undefined

/**
 * Returns the creation bytecode of the contracts in `contracts`. It is cached in node_modules by the hash of the sources and
 * the compiler version, because loading the compiler alone takes seconds.
 *
 * @throws {Error} with the messages of the compiler when a source does not compile
 */
export function compileContracts(): Promise<Bytecodes> {
  compiled ??= readOrCompile()
  return compiled
}

async function readOrCompile(): Promise<Bytecodes> {
  const input = JSON.stringify(compilerInput())
  const versions = [require('solc/package.json'), require('@openzeppelin/contracts/package.json')]
  const key = createHash('sha256')
    .update(JSON.stringify([input, ...versions.map(versionOf)]))
    .digest('hex')
  const cached = new URL(`contracts-${key.slice(0, 16)}.json`, cacheFolder)
  try {
    return JSON.parse(await readFile(cached, 'utf8')) as Bytecodes
  } catch {
    const bytecodes = compile(input)
    await mkdir(cacheFolder, { recursive: true })
    // Several processes may compile concurrently; a rename is atomic.
    const unfinished = `${fileURLToPath(cached)}.${process.pid}`
    await writeFile(unfinished, JSON.stringify(bytecodes))
    await rename(unfinished, cached)
    return bytecodes
  }
}

function compilerInput() {
  const files = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sol'))
    .sort()
  const read = (file: string) => ({ content: readFileSync(join(sourceFolder, file), 'utf8') })
  const wanted = (file: string) => ({ [basename(file, '.sol')]: ['evm.bytecode.object'] })
  return {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, read(file)])),
    settings: {
      // Without the optimizer, which triples the time of the first start.
      outputSelection: Object.fromEntries(files.map((file) => [file, wanted(file)])),
    },
  }
}

function compile(input: string): Bytecodes {
  const solc = require('solc') as Solc
  const output = JSON.parse(
    solc.compile(input, {
      import: (path) => ({ contents: readFileSync(require.resolve(path), 'utf8') }),
    }),
  ) as SolcOutput
  const errors = output.errors?.filter(({ severity }) => severity === 'error') ?? []
  if (errors.length > 0) {
    throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  }
  const bytecodes = Object.entries(output.contracts).flatMap(([file, contracts]) => {
    const name = basename(file, '.sol')
    const object = contracts[name]?.evm.bytecode.object
    // An abstract contract has no bytecode.
    return object ? [[name, `0x${object}`] as const] : []
  })
  return Object.fromEntries(bytecodes) as Bytecodes
}

function versionOf(manifest: unknown): string {
  return (manifest as { version: string }).version
}
