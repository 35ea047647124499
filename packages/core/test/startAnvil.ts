import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { foundry } from 'viem/chains'

const require = createRequire(import.meta.url)

/** Starts a node without automatic mining, on a free port. */
export async function startAnvil() {
  const folder = dirname(require.resolve('@foundry-rs/anvil-linux-amd64/package.json'))
  const process = spawn(join(folder, 'bin', 'anvil'), ['--no-mining', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => process.once('exit', () => resolve()))
  const port = await new Promise<string>((resolve, reject) => {
    let output = ''
    process.stdout.setEncoding('utf8').on('data', (text: string) => {
      const listening = /Listening on [^\s]*:(\d+)/.exec((output += text))
      if (listening) {
        resolve(listening[1]!)
      }
    })
    void ended.then(() => reject(new Error(`anvil exited: ${output}`)))
  })
  const node = createTestClient({
    mode: 'anvil',
    chain: foundry,
    transport: http(`http://127.0.0.1:${port}`),
    pollingInterval: 50,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
  return {
    node,
    async stop() {
      process.kill()
      await ended
    },
  }
}
