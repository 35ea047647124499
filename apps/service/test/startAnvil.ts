import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { findAnvil } from '@headwater/devnet'
import { onFixtureFinished } from './shareFixture.ts'

/** Starts anvil with these options, by default on a free port, until the test or the shared fixture ends. */
export async function startAnvil(...options: string[]) {
  // Contracts of the tests that contain others are larger than a chain admits.
  const defaults = { '--port': '0', '--color': 'never', '--code-size-limit': '49152' }
  const others = Object.entries(defaults).filter(([name]) => !options.includes(name))
  const child = spawn(findAnvil(), [...others.flat(), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOME: tmpdir() },
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onFixtureFinished(stop)
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.once('exit', () => reject(new Error(`anvil exited: ${output}`)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000)
      const address = /Listening on ([^\s]+:\d+)/.exec(output)?.[1]
      if (address) {
        resolve(`http://${address}`)
      }
    })
  })
  return {
    url,
    /** Stops it before the test ends. */
    stop,
    /** Sends a request. The type of the result is not checked. */
    async call<Result>(method: string, ...params: unknown[]): Promise<Result> {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      const { result, error } = (await response.json()) as {
        result?: Result
        error?: { message: string }
      }
      if (error) {
        throw new Error(`${method}: ${error.message}`)
      }
      return result as Result
    },
  }
}
