// A preloaded module that appends every change of the files in `RECORDED_FOLDER` to the file `RECORDING`, with the bytes
// written and each flush. Flushes are recorded only: nothing reads the disk.
import fs from 'node:fs'
import type { FileChange } from './FileChange.ts'

const { RECORDED_FOLDER: folder = '', RECORDING: recording = '' } = process.env
const { openSync, writeFileSync, writeSync, ftruncateSync, truncateSync, closeSync } = fs
const { renameSync, unlinkSync, mkdirSync, rmdirSync } = fs
const paths = new Map<number, string>()
let output: number | undefined

function record(change: FileChange, bytes: Uint8Array = new Uint8Array()): void {
  output ??= openSync(recording, 'a')
  const header = Buffer.from(`${JSON.stringify({ ...change, length: bytes.length })}\n`)
  writeSync(output, Buffer.concat([header, bytes]))
}

const relative = (path: unknown): string | undefined =>
  String(path).startsWith(`${folder}/`) ? String(path).slice(folder.length + 1) : undefined

Object.assign(fs, {
  openSync(...parameters: Parameters<typeof fs.openSync>) {
    const file = openSync(...parameters)
    const path = relative(parameters[0])
    if (path !== undefined) {
      const isTruncated = typeof parameters[1] === 'number' && parameters[1] & fs.constants.O_TRUNC
      paths.set(file, path)
      record({ type: 'open', file, path, ...(isTruncated && { size: 0 }) })
    }
    return file
  },
  closeSync(file: number) {
    paths.delete(file)
    closeSync(file)
  },
  writeSync(file: number, view: Uint8Array, offset: number, length: number, position: number) {
    const written = writeSync(file, view, offset, length, position)
    if (paths.has(file)) {
      const bytes = Buffer.from(view.buffer, view.byteOffset + offset, written)
      record({ type: 'write', file, position }, bytes)
    }
    return written
  },
  fsyncSync(file: number) {
    // A folder, or a file.
    record({ type: 'flush', file: paths.has(file) ? file : -1 })
  },
  ftruncateSync(file: number, size: number) {
    ftruncateSync(file, size)
    if (paths.has(file)) {
      record({ type: 'truncate', file, size })
    }
  },
  truncateSync(path: string, size: number) {
    truncateSync(path, size)
    const name = relative(path)
    if (name !== undefined) {
      record({ type: 'open', file: -1, path: name, size })
    }
  },
  writeFileSync(...parameters: Parameters<typeof fs.writeFileSync>) {
    const path = relative(parameters[0])
    if (path !== undefined) {
      // Emscripten creates files this way, always empty. It calls `openSync`, which must find the file.
      record({ type: 'create', path })
    }
    writeFileSync(...parameters)
  },
  renameSync(from: string, to: string) {
    renameSync(from, to)
    const path = relative(from)
    const target = relative(to)
    if (path !== undefined && target !== undefined) {
      record({ type: 'rename', path, target })
    }
  },
  unlinkSync(path: string) {
    unlinkSync(path)
    const name = relative(path)
    if (name !== undefined) {
      record({ type: 'remove', path: name })
    }
  },
  rmdirSync(path: string) {
    rmdirSync(path)
    const name = relative(path)
    if (name !== undefined) {
      record({ type: 'remove', path: name })
    }
  },
  mkdirSync(...parameters: Parameters<typeof fs.mkdirSync>) {
    const created = mkdirSync(...parameters)
    const path = relative(parameters[0])
    if (path !== undefined) {
      record({ type: 'mkdir', path })
    }
    return created
  },
})
