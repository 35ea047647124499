// A preloaded module: while the file `DISK_FAILURE` exists, the function of `node:fs` that it names fails with the error code
// after it, such as `fsyncSync EIO`. stdout and stderr are not on that disk: the logger would repeat their writes for ever.
import fs from 'node:fs'

const { existsSync, readFileSync } = fs
const { DISK_FAILURE: failure = '' } = process.env

for (const name of ['writeSync', 'fsyncSync'] as const) {
  const original = fs[name] as (...parameters: unknown[]) => unknown
  Object.assign(fs, {
    [name](...parameters: unknown[]) {
      const [failing, code] = existsSync(failure) ? readFileSync(failure, 'utf8').split(' ') : []
      if (failing === name && Number(parameters[0]) > 2) {
        throw Object.assign(new Error(`${code}: ${name}`), { code })
      }
      return original(...parameters)
    },
  })
}
