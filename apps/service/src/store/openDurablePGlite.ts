import fs from 'node:fs'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** Where PGlite mounts the data folder. */
const mountPoint = '/pglite/data'

/**
 * A quarter of the default, which a busy service fills within minutes. Beyond it, pages come from the cache of the operating
 * system, and the memory of WebAssembly never shrinks.
 */
const sharedBuffers = '32MB'

/** The part of Emscripten's module that flushes files. */
interface EmscriptenModule {
  readonly FS: { getPath(node: object): string }
  readonly NODEFS: {
    /** `nfd` is the file descriptor of the operating system; a folder has none. */
    stream_ops: { fsync?: (stream: { readonly nfd?: number; readonly node: object }) => number }
    /** Converts an error of Node to an error code of PostgreSQL. */
    tryFSOperation(run: () => void): void
  }
  onAbort?: (reason: unknown) => void
}

/**
 * Opens a database in a folder so that its commits survive a loss of power.
 *
 * PGlite starts PostgreSQL with `-F`, which disables `fsync`, and Emscripten's file system of Node has no function that
 * flushes a file: both must be replaced. Its `fdatasync`, the default of `wal_sync_method`, is always empty.
 *
 * @param onFailure - called when PostgreSQL ends, at the latest when a file cannot be written or flushed. Statements may hang
 *   or appear to succeed from then on, because PGlite ignores the end.
 */
export async function openDurablePGlite(
  dataDir: string,
  {
    onFailure = () => {},
    ...options
  }: Pick<PGliteOptions, 'parsers'> & { readonly onFailure?: (reason: string) => void } = {},
): Promise<PGlite> {
  return await PGlite.create({
    ...options,
    fs: new DurableNodeFS(dataDir, onFailure),
    onStderr(line) {
      const reason = /(?:FATAL|PANIC): +(.*)/.exec(line)?.[1]
      if (reason !== undefined) {
        onFailure(reason)
      }
      return false
    },
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...['-c', 'wal_sync_method=fsync'],
      ...['-c', `shared_buffers=${sharedBuffers}`],
    ],
  })
}

class DurableNodeFS extends NodeFS {
  readonly #onFailure: (reason: string) => void

  constructor(dataDir: string, onFailure: (reason: string) => void) {
    super(dataDir)
    this.#onFailure = onFailure
  }

  override async init(...[pglite, options]: Parameters<NodeFS['init']>) {
    const prepare = (module: unknown) => {
      const { FS, NODEFS } = module as EmscriptenModule
      NODEFS.stream_ops.fsync = ({ nfd, node }) => {
        NODEFS.tryFSOperation(() => {
          const file =
            nfd ?? fs.openSync(this.rootDir + FS.getPath(node).slice(mountPoint.length), 'r')
          try {
            fs.fsyncSync(file)
          } finally {
            if (file !== nfd) {
              fs.closeSync(file)
            }
          }
        })
        return 0
      }
      ;(module as EmscriptenModule).onAbort = (reason) =>
        this.#onFailure(`aborted ${String(reason)}`)
    }
    return await super.init(pglite, { ...options, preRun: [...(options.preRun ?? []), prepare] })
  }
}
