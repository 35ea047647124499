import { open, rename } from 'node:fs/promises'

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
