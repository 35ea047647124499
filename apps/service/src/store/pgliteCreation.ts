// A program that creates an embedded database in the folder of its argument.
import { PGlite } from '@electric-sql/pglite'

// The parent process ended.
process.on('disconnect', () => process.exit(1))
const pglite = await PGlite.create({ dataDir: process.argv[2] ?? '' })
await pglite.close()
process.exit()
