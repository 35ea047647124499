export {
  arrangeBalances,
  sortBy,
  type Arrangement,
  type BalanceColumn,
  type BalanceOrder,
} from './balances/arrangeBalances.ts'
export { trustText } from './balances/trustText.ts'
export { balancesParameters, collectiblesParameters } from './balances/walletParameters.ts'
export { chainChoices, toggleChain, type ChainChoice } from './chains/chainChoices.ts'
export type { KnownChain } from './chains/KnownChain.ts'
export { collectibleKey, collectibleText, findCollectible } from './collectibleText.ts'
export { describeError, type Problem } from './describeError.ts'
export type { Formats } from './formats/createFormats.ts'
export { formatsOf } from './formats/formatsOf.ts'
export { locales } from './formats/locales.ts'
export { freshnessText } from './freshnessText.ts'
export { isOnline$ } from './isOnline.ts'
export { isAddress } from './links/isAddress.ts'
export type { Link, Screen } from './links/Link.ts'
export { focusScreen, hrefOf, isPlainClick, link$, openLink } from './links/navigation.ts'
export { parseChains } from './links/parseChains.ts'
export { titleOf } from './links/titleOf.ts'
export { loadConfig } from './loadConfig.ts'
export { collectibleImageUrl, logoUrl } from './media/imageUrls.ts'
export { whenVisible } from './media/whenVisible.ts'
export { budgetOf, budgets } from './meter/budgets.ts'
export { describeStreams, operationNames, type StreamLine } from './meter/describeStreams.ts'
export { intervals } from './meter/intervals.ts'
export { unitsInLastMinute } from './meter/unitsInLastMinute.ts'
export { noteText } from './noteText.ts'
export { openConnection, type Connection } from './openConnection.ts'
export { chartPoints, chartRanges, type ChartRange } from './prices/chartPoints.ts'
export { chartText } from './prices/chartText.ts'
export type { PriceChart } from './prices/createPriceChart.ts'
export { createPriceHistory } from './prices/createPriceHistory.ts'
export { mountPriceChart } from './prices/mountPriceChart.ts'
export { chartHours } from './prices/PriceHistory.ts'
export { shareText } from './prices/shareText.ts'
export { directionOf, sparkline, sparklineSize } from './prices/sparkline.ts'
export type { Config } from './readConfig.ts'
export { withRecent } from './settings/readSettings.ts'
export { changeSettings, settings$ } from './settings/storedSettings.ts'
export type { Settings, Theme } from './settings/Settings.ts'
export { followTheme, isDark, otherTheme } from './settings/theme.ts'
export {
  chainText,
  contractText,
  initialsOf,
  nameText,
  shownText,
  symbolText,
} from './tokenText.ts'
