import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { publicPackages } from '../../../scripts/publicPackages.ts'
import { run } from '../run.ts'

/**
 * Serves packed packages as npm's registry does, so that commands of a guide work before a release. Requests of other packages
 * are redirected to the registry that npm is configured with.
 *
 * @param tarballs - Path of each tarball, by the name of the package's folder.
 * @param folder - Where npm is configured as usual.
 */
export async function serveRegistry(
  tarballs: Readonly<Record<string, string>>,
  folder: string,
): Promise<{ readonly url: string; close(): void }> {
  const output = await run('npm', ['config', 'get', 'registry'], folder)
  // Warnings of npm precede it.
  const upstream = output.trim().split('\n').at(-1)!.replace(/\/$/, '')
  const packages = new Map(
    await Promise.all(
      publicPackages.map(async ({ folder: source }) => {
        const tarball = await readFile(tarballs[path.basename(source)]!)
        const packed = ['-xzOf', tarballs[path.basename(source)]!, 'package/package.json']
        const manifest = JSON.parse(await run('tar', packed, folder)) as Manifest
        return [manifest.name, { manifest, tarball }] as const
      }),
    ),
  )
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, url)
    const [name = '', isTarball] = decodeURIComponent(pathname).slice(1).split('/-/')
    const known = packages.get(name)
    if (!known) {
      response.writeHead(302, { Location: upstream + request.url! }).end()
    } else if (isTarball) {
      response.end(known.tarball)
    } else {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify(describe(known.manifest, known.tarball, url)))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `${url}/`, close: () => void server.close() }
}

interface Manifest {
  readonly name: string
  readonly version: string
}

/** The document of a package with one version. */
function describe(manifest: Manifest, tarball: Buffer, url: string): object {
  const { name, version } = manifest
  const dist = {
    tarball: `${url}/${name}/-/${version}.tgz`,
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
  }
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
}
