import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { onTestFinished, vi } from 'vitest'
import type { FactsConfig } from '../src/config/Config.ts'

/**
 * Starts an S3 server with the bucket `facts`, and sets the credentials that it accepts. It lacks conditional writes, which
 * are added here, as AWS has them.
 */
export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), 'headwater-s3-'))
  const s3 = new S3rver({
    directory,
    silent: true,
    configureBuckets: [{ name: 'facts' }],
    // It computes another signature where a path ends with a slash, and recognizes wrong keys by their ids.
    allowMismatchedSignatures: true,
  })
  await s3.configureBuckets()
  const handle = s3.callback()
  let respond: ((request: IncomingMessage) => number | undefined) | undefined
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    requests.push(`${request.method} ${request.url}`)
    const exists = existsSync(join(directory, `${decodeURIComponent(path)}._S3rver_object`))
    const status = request.headers['if-none-match'] === '*' && exists ? 412 : respond?.(request)
    if (status !== undefined) {
      request.resume()
      return void response.writeHead(status).end()
    }
    void handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER')
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    s3.logger.close()
    rmSync(directory, { recursive: true })
  })
  const settings = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    pathStyle: true,
  }
  return {
    directory,
    requests,
    /** Of a configuration file. */
    settings,
    /** Responds to requests for which the function returns a status. */
    setResponder: (responder: typeof respond) => {
      respond = responder
    },
    /** @returns a configuration of facts that are stored here. */
    configure: (cacheFolder: string, cacheBytes = 1e9): FactsConfig => ({
      folder: 's3://facts/some/prefix',
      blocksPerChunk: 10,
      memoryLimit: '256MB',
      s3: { ...settings, cacheFolder, cacheBytes },
    }),
  }
}
