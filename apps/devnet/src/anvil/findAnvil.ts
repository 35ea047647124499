import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { DevnetError } from '../DevnetError.ts'

const require = createRequire(import.meta.url)

/**
 * Returns the path of the anvil binary from npm, or of one on the PATH.
 *
 * @throws {DevnetError} when there is none
 */
export function findAnvil(): string {
  const installed = installedAnvil()
  if (installed) {
    return installed
  }
  const name = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const candidate = join(folder, name)
    if (folder && existsSync(candidate)) {
      return candidate
    }
  }
  throw new DevnetError(
    `There is no anvil package for ${process.platform} ${process.arch}, and no anvil on the PATH: ` +
      'install Foundry (https://getfoundry.sh) and start again.',
  )
}

function installedAnvil(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return undefined
  }
  try {
    const manifest = require.resolve('@foundry-rs/anvil-linux-amd64/package.json')
    const binary = join(dirname(manifest), 'bin', 'anvil')
    return existsSync(binary) ? binary : undefined
  } catch {
    return undefined
  }
}
