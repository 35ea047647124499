import { Command, Option } from 'commander'
import { benchService } from './service/benchService.ts'

const program = new Command('bench').description(
  'Measures Headwater and its peers in one run. Prints one JSON line a figure.',
)

program
  .command('service')
  .description('backfill from a loopback node, and answers from a large store')
  .addOption(new Option('--only <part>', 'one part of it').choices(['backfill', 'answers']))
  .addOption(new Option('--store <kind>', 'one store').choices(['postgres', 'pglite']))
  .option('--transfers <number>', 'transfer logs in the history', '240000')
  .option('--without-peers', 'measure Headwater and the floors alone', false)
  .action((options: { only?: string; store?: string; transfers: string; withoutPeers: boolean }) =>
    benchService({ ...options, transfers: Number(options.transfers) }),
  )

await program.parseAsync()
process.exit()
