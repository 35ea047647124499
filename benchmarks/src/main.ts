import { Command, Option } from 'commander'
import { benchBindings, bindingFigureNames } from './bindings/benchBindings.ts'
import { benchCore, figureNames } from './core/benchCore.ts'
import { benchService, partNames } from './service/benchService.ts'

interface Options {
  only?: string
  store?: string
  transfers: string
  holders: string
  history: string
  peerSeconds: string
  withoutPeers: boolean
  wallets: string
  seconds: string
  minutes: string
  streams: string
  rate: string
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
  'Measures Headwater and comparable projects in one run. Prints one JSON line per figure.',
)

program
  .command('service')
  .description(
    'backfill and bulk load, layout of the tables, prices, responses of still and moving heads, push, and the audit',
  )
  .addOption(new Option('--only <part>', 'only one part').choices(partNames))
  .addOption(new Option('--store <kind>', 'only one store').choices(['postgres', 'pglite']))
  .option('--transfers <number>', 'transfer logs in the history', '720000')
  .option('--holders <number>', 'holders of a token in the store', '1000000')
  .option('--history <number>', 'transfer logs of the chain of the first response', '3000000')
  .option('--peer-seconds <number>', 'most seconds of a peer until its first response', '60')
  .option('--wallets <numbers>', 'wallets that the answers are of', '300,10000')
  .option('--seconds <number>', 'duration of each measurement of the answers', '10')
  .option('--minutes <number>', 'duration of the soak', '30')
  .option('--streams <number>', 'open streams of changes in the soak', '2000')
  .option('--rate <number>', 'requests per second in the soak', '200')
  .option('--without-peers', 'measure Headwater and the baselines only', false)
  .action((options: Options) =>
    benchService({
      ...options,
      transfers: Number(options.transfers),
      holders: Number(options.holders),
      history: Number(options.history),
      peerSeconds: Number(options.peerSeconds),
      wallets: options.wallets.split(',').map(Number),
      seconds: Number(options.seconds),
      minutes: Number(options.minutes),
      streams: Number(options.streams),
      rate: Number(options.rate),
    }),
  )

program
  .command('core')
  .description('streams, polling, pages, prices and size of the core')
  .addOption(new Option('--only <figure>', 'only one figure').choices(figureNames))
  .option('--repeat <number>', 'runs per contender; the minimum counts', '3')
  .option('--without-peers', 'measure Headwater only', false)
  .action((options: CoreOptions) => benchCore({ ...options, repeat: Number(options.repeat) }))

program
  .command('bindings')
  .description('a thousand components of one price in React, Vue and Svelte, and bundle sizes')
  .addOption(new Option('--only <figure>', 'only one figure').choices(bindingFigureNames))
  .option('--turns <number>', 'turns of five polls per contender; the median counts', '9')
  .option('--without-peers', 'measure Headwater and the baselines only', false)
  .action((options: BindingsOptions) => benchBindings({ ...options, turns: Number(options.turns) }))

await program.parseAsync()
process.exit()
