import path from 'node:path'
import { Process } from './Process.ts'
import { root } from './root.ts'

/** Folders and files of a stack, all inside its data folder. */
export interface StackFiles {
  readonly devnetFolder: string
  readonly storeFolder: string
  /** Configuration of the service. The devnet writes it, because it contains the addresses of its contracts. */
  readonly configFile: string
  readonly logFolder: string
}

export function stackFiles(data: string): StackFiles {
  return {
    devnetFolder: path.join(data, 'devnet'),
    storeFolder: path.join(data, 'service'),
    configFile: path.join(data, 'service.config.json'),
    logFolder: path.join(data, 'logs'),
  }
}

/**
 * Arguments for Node that run a command of the service on this stack's store. It is compiled together with the demo pages: from
 * its sources, each thread would also load a compiler.
 */
export function serviceCommand(
  { configFile, storeFolder }: StackFiles,
  ...command: string[]
): string[] {
  return ['apps/service/dist/main.js', ...command, '--config', configFile, '--data', storeFolder]
}

export function runDevnet(
  files: StackFiles,
  {
    ports,
    longChain,
    seed,
  }: {
    ports: readonly number[]
    longChain: { readonly blocks: number; readonly port: number }
    seed: string
  },
): Process {
  const args = [
    '--data',
    files.devnetFolder,
    '--ports',
    ports.join(),
    '--long-blocks',
    String(longChain.blocks),
    '--long-port',
    String(longChain.port),
    '--seed',
    seed,
    '--config-out',
    files.configFile,
  ]
  return run('devnet', ['apps/devnet/src/main.ts', ...args], files)
}

export function runService(files: StackFiles, port: number): Process {
  const command = [...serviceCommand(files, 'start'), '--port', String(port)]
  // Node's threads otherwise fragment a heap each, and short-lived objects use up to 48 MB.
  return run('service', ['--max-semi-space-size=8', ...command], files, { MALLOC_ARENA_MAX: '2' })
}

function run(
  name: string,
  args: readonly string[],
  { logFolder }: StackFiles,
  env: Readonly<Record<string, string>> = {},
): Process {
  const logFile = path.join(logFolder, `${name}.log`)
  return new Process({ name, command: process.execPath, args, cwd: root, logFile, env })
}
