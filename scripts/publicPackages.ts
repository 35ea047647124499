import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './stack/root.ts'

/** The parts of a `package.json` that checks read. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/** The packages of the workspace that a release publishes, with their folders relative to the root. */
export const publicPackages = globSync('{packages,apps}/*/package.json', { cwd: root })
  .map((file) => ({
    folder: path.dirname(file),
    manifest: JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Manifest,
  }))
  .filter(({ manifest }) => manifest.private !== true)
