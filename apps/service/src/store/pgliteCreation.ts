// The program that makes an embedded database in the folder of its argument, and ends.
import { PGlite } from '@electric-sql/pglite'

// Who wanted it is gone.
process.on('disconnect', () => process.exit(1))
const pglite = await PGlite.create({ dataDir: process.argv[2] ?? '' })
await pglite.close()
process.exit()
