import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { findAnvil } from '../../../../apps/devnet/src/anvil/findAnvil.ts'

/** Chain id of the benchmark's chain. */
export const benchChainId = 31_400

/** A running node that mines only on request. */
export interface BenchNode {
  readonly url: string
  readonly pid: number
  readonly call: (method: string, ...params: unknown[]) => Promise<unknown>
  readonly stop: () => Promise<void>
}

/** Starts anvil on a free port, from a saved state or empty. */
export async function startNode(stateFile?: string): Promise<BenchNode> {
  const child = spawn(
    findAnvil(),
    [
      ...['--port', '0', '--chain-id', String(benchChainId), '--accounts', '2'],
      ...['--gas-limit', '1000000000', '--base-fee', '1', '--timestamp', '1700000000'],
      // Headwater and its peers read state of the latest block only.
      ...['--prune-history', '16', '--order', 'fifo'],
      ...['--no-mining', '--no-request-size-limit', '--color', 'never'],
      ...(stateFile === undefined ? [] : ['--load-state', stateFile]),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, HOME: tmpdir() } },
  )
  const url = await listening(child)
  return {
    url,
    pid: child.pid ?? 0,
    async call(method, ...params) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      const body = (await response.json()) as { result?: unknown; error?: { message: string } }
      if (body.error) {
        throw new Error(`${method}: ${body.error.message}`)
      }
      return body.result
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('exit', () => {
      reject(new Error(`anvil exited: ${output}`))
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000)
      const port = /Listening on [^\s]*:(\d+)/.exec(output)?.[1]
      if (port) {
        resolve(`http://127.0.0.1:${port}`)
      }
    })
  })
}
