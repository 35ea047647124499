import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Hex } from 'viem'

const require = createRequire(import.meta.url)
const sourceFile = new URL('../../contracts/DevnetToken.sol', import.meta.url)
const cacheFolder = new URL('../../node_modules/.cache/headwater-devnet/', import.meta.url)

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

interface Solc {
  compile(input: string, callbacks: { import: (path: string) => { contents: string } }): string
}

let compiled: Promise<Hex> | undefined

/**
 * The creation bytecode of `contracts/DevnetToken.sol`. Compiled once for its sources and its compiler, then read
 * from a cache beside the installed packages: loading the compiler alone takes seconds.
 *
 * @throws Error with the compiler's own words when the source does not compile
 */
export function compileToken(): Promise<Hex> {
  compiled ??= readOrCompile()
  return compiled
}

async function readOrCompile(): Promise<Hex> {
  const source = await readFile(sourceFile, 'utf8')
  const key = createHash('sha256')
    .update(
      JSON.stringify([
        source,
        versionOf(require('solc/package.json')),
        versionOf(require('@openzeppelin/contracts/package.json')),
      ]),
    )
    .digest('hex')
  const cached = new URL(`DevnetToken-${key.slice(0, 16)}.hex`, cacheFolder)
  try {
    return (await readFile(cached, 'utf8')) as Hex
  } catch {
    const bytecode = compile(source)
    await mkdir(cacheFolder, { recursive: true })
    // Two processes may compile at once: a rename never shows half a file.
    const unfinished = `${fileURLToPath(cached)}.${process.pid.toString()}`
    await writeFile(unfinished, bytecode)
    await rename(unfinished, cached)
    return bytecode
  }
}

function compile(source: string): Hex {
  const solc = require('solc') as Solc
  const input = {
    language: 'Solidity',
    sources: { 'DevnetToken.sol': { content: source } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { DevnetToken: ['evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), {
      import: (path) => ({ contents: readFileSync(require.resolve(path), 'utf8') }),
    }),
  ) as SolcOutput
  const errors = output.errors?.filter(({ severity }) => severity === 'error') ?? []
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const bytecode = output.contracts['DevnetToken.sol']?.DevnetToken?.evm.bytecode.object
  if (!bytecode) throw new Error('The compiler answered no bytecode for DevnetToken')
  return `0x${bytecode}`
}

function versionOf(manifest: unknown): string {
  return (manifest as { version: string }).version
}
