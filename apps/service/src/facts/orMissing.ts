/** @returns undefined when there is no such file or folder. Other errors do not mean that it is missing. */
export async function orMissing<Value>(read: Promise<Value>): Promise<Value | undefined> {
  try {
    return await read
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined
    }
    throw error
  }
}
