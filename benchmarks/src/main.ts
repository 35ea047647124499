import { Command, Option } from 'commander'
import { benchBindings, bindingFigureNames } from './bindings/benchBindings.ts'
import { benchCore, figureNames } from './core/benchCore.ts'
import { benchService } from './service/benchService.ts'

interface Options {
  only?: string
  store?: string
  transfers: string
  holders: string
  withoutPeers: boolean
}

interface CoreOptions {
  only?: string
  repeat: string
  withoutPeers: boolean
}

interface BindingsOptions {
  only?: string
  turns: string
  withoutPeers: boolean
}

const program = new Command('bench').description(
  'Measures Headwater and its peers in one run. Prints one JSON line a figure.',
)

program
  .command('service')
  .description('backfill from a loopback node, and answers from a large store')
  .addOption(new Option('--only <part>', 'one part of it').choices(['backfill', 'answers']))
  .addOption(new Option('--store <kind>', 'one store').choices(['postgres', 'pglite']))
  .option('--transfers <number>', 'transfer logs in the history', '720000')
  .option('--holders <number>', 'holders of a token in the store', '1000000')
  .option('--without-peers', 'measure Headwater and the floors alone', false)
  .action((options: Options) =>
    benchService({
      ...options,
      transfers: Number(options.transfers),
      holders: Number(options.holders),
    }),
  )

program
  .command('core')
  .description('streams, polling, pages, prices and size of the core')
  .addOption(new Option('--only <figure>', 'one figure').choices(figureNames))
  .option('--repeat <number>', 'how often each contender runs; the least counts', '3')
  .option('--without-peers', 'measure Headwater alone', false)
  .action((options: CoreOptions) => benchCore({ ...options, repeat: Number(options.repeat) }))

program
  .command('bindings')
  .description('a thousand components of one price in React, Vue and Svelte, and what an app loads')
  .addOption(new Option('--only <figure>', 'one figure').choices(bindingFigureNames))
  .option('--turns <number>', 'how often each contender polls five times; the median counts', '9')
  .option('--without-peers', 'measure Headwater and the floors alone', false)
  .action((options: BindingsOptions) => benchBindings({ ...options, turns: Number(options.turns) }))

await program.parseAsync()
process.exit()
