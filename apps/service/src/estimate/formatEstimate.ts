import { capacityModel, type Count, type Estimate } from './estimateChain.ts'
import type { Average } from './sampleChain.ts'

/** Formats an estimate for a terminal, with what was measured apart from what follows from a model. */
export function formatEstimate({ chainId, measured, modelled, assumptions }: Estimate): string {
  const { bytes, times } = modelled
  const average = ({ mean, error }: Average) => `${mean.toFixed(2)} ± ${error.toFixed(2)} per block`
  const count = ({ value, error }: Count) => `${formatNumber(value)} ± ${formatNumber(error)}`
  const { pairsPerTransfer: pairs } = measured
  return [
    `chain ${chainId}, blocks ${measured.firstBlock} to ${measured.lastBlock}`,
    '',
    `Measured, in ${measured.sampledBlocks} sampled blocks (± standard error)`,
    `  logs with indexed topics  ${average(measured.logs)}`,
    `  ERC20 transfers           ${average(measured.transfers)}`,
    `  transferred NFTs          ${average(measured.collectibles)}`,
    `  changed pools             ${average(measured.poolStates)}`,
    `  pool events               ${average(measured.facts.pool_events)}`,
    `  logs of read pools        ${average(measured.facts.pool_logs)}`,
    `  pairs per transfer        ${pairs ? `${pairs.value.toFixed(3)} of ${pairs.transfers} transfers` : 'not measured'}`,
    `  rate of nodes or source   ${measured.blocksPerSecond.toFixed(1)} blocks/s, ${(1000 * measured.cpuPerBlock).toFixed(2)} ms of CPU per block`,
    `  decoding                  ${formatNumber(measured.decodedPerSecond)} logs/s per core`,
    '',
    'Modelled',
    `  transfers                 ${count(modelled.transfers)}`,
    `  pairs                     ${count(modelled.pairs)}`,
    `  NFT rows, at most         ${count(modelled.collectibles)}`,
    `  pool states, at most      ${count(modelled.poolStates)}`,
    `  database                  ${formatBytes(bytes.total)}: balances ${formatBytes(bytes.balances)}, NFTs ${formatBytes(bytes.collectibles)}, blocks ${formatBytes(bytes.blocks)}, pool states ${formatBytes(bytes.poolStates)}`,
    `  facts                     ${formatBytes(bytes.facts)}`,
    ...times.map(
      ({ source, cores, fetch, fold }) =>
        `  time, ${cores} cores, ${source === 'configured' ? 'as configured' : 'from files   '}  fetch ${formatSeconds(fetch)}, fold and load ${cores > capacityModel.measuredFold.cores ? 'at least ' : ''}${formatSeconds(fold)}`,
    ),
    '',
    'Assumed',
    ...assumptions.map((line) => `  ${line}`),
  ].join('\n')
}

function formatNumber(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** unit).toFixed(1)} ${units[unit]}`
}

function formatSeconds(seconds: number): string {
  if (seconds < 120) {
    return `${seconds} s`
  }
  return seconds < 7_200
    ? `${Math.round(seconds / 60)} min`
    : seconds < 172_800
      ? `${(seconds / 3_600).toFixed(1)} h`
      : `${(seconds / 86_400).toFixed(1)} days`
}
