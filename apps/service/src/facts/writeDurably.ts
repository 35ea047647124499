import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file so that after a power loss it has either its old or its new content. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const partial = `${file}.partial`
  const handle = await open(partial, 'w')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(partial, file)
}

/** Writes a file, or the names of a folder, from the memory of the operating system to the disk. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates a folder with those above it unless it exists, so that it also exists after a power loss. */
export async function createFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  for (let created = folder; first && created.length >= first.length; created = dirname(created)) {
    await flush(dirname(created))
  }
}
