import type { PortfolioChange } from '@headwater/core'
import type { Formats } from '../formats/createFormats.ts'

type Change = Pick<PortfolioChange, 'change_usd' | 'percent'>

/** The change of a total in a day. Without a past value there is nothing to compare with, as in an empty wallet: then a space. */
export function changeText(
  dayChange: Change | undefined,
  { change, signedUsd }: Pick<Formats, 'change' | 'signedUsd'>,
): string {
  return dayChange?.percent === undefined
    ? '\u00a0'
    : `${signedUsd(dayChange.change_usd)} (${change(dayChange.percent)}) in 24 h`
}
