import fs from 'node:fs'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** Where PGlite mounts the data folder. */
const mountPoint = '/pglite/data'

/** The part of Emscripten's module that flushes files. */
interface EmscriptenModule {
  readonly FS: { getPath(node: object): string }
  readonly NODEFS: {
    /** `nfd` is the file descriptor of the operating system; a folder has none. */
    stream_ops: { fsync?: (stream: { readonly nfd?: number; readonly node: object }) => number }
  }
}

/**
 * Opens a database in a folder so that its commits survive a loss of power.
 *
 * PGlite starts PostgreSQL with `-F`, which disables `fsync`, and Emscripten's file system of Node has no function that
 * flushes a file: both must be replaced. Its `fdatasync`, the default of `wal_sync_method`, is always empty.
 */
export async function openDurablePGlite(
  dataDir: string,
  options: Pick<PGliteOptions, 'parsers'> = {},
): Promise<PGlite> {
  return await PGlite.create({
    ...options,
    fs: new DurableNodeFS(dataDir),
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...['-c', 'wal_sync_method=fsync'],
    ],
  })
}

class DurableNodeFS extends NodeFS {
  override async init(...[pglite, options]: Parameters<NodeFS['init']>) {
    const addFlush = (module: unknown) => {
      const { FS, NODEFS } = module as EmscriptenModule
      NODEFS.stream_ops.fsync = ({ nfd, node }) => {
        if (nfd !== undefined) {
          fs.fsyncSync(nfd)
          return 0
        }
        const folder = fs.openSync(this.rootDir + FS.getPath(node).slice(mountPoint.length), 'r')
        try {
          fs.fsyncSync(folder)
        } finally {
          fs.closeSync(folder)
        }
        return 0
      }
    }
    return await super.init(pglite, { ...options, preRun: [...(options.preRun ?? []), addFlush] })
  }
}
