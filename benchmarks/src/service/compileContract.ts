import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import type { Hex } from 'viem'

const require = createRequire(import.meta.url)

interface Solc {
  compile(input: string): string
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

/** The creation bytecode of the contract with the name of its file. */
export function compileContract(source: URL): Hex {
  const solc = require('solc') as Solc
  const file = basename(source.pathname)
  const name = basename(file, '.sol')
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(source, 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 1000 },
      outputSelection: { [file]: { [name]: ['evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const bytecode = output.contracts?.[file]?.[name]?.evm.bytecode.object
  if (!bytecode) {
    throw new Error(output.errors?.map(({ formattedMessage }) => formattedMessage).join('\n'))
  }
  return `0x${bytecode}`
}
