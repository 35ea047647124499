// The program that makes an embedded database in the folder of its argument, and ends.
import { setFlagsFromString } from 'node:v8'

// Its code runs once: to compile it better would take as much memory again, and longer than is won.
setFlagsFromString('--liftoff-only')
// Who wanted it is gone.
process.on('disconnect', () => process.exit(1))
const { PGlite } = await import('@electric-sql/pglite')
const pglite = await PGlite.create({ dataDir: process.argv[2] ?? '' })
await pglite.close()
process.exit()
