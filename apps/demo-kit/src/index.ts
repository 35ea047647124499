export {
  arrangeBalances,
  type Arrangement,
  type BalanceColumn,
  type BalanceOrder,
  sortBy,
} from './balances/arrangeBalances.ts'
export { changeText } from './balances/changeText.ts'
export { freshnessText } from './balances/freshnessText.ts'
export { trustText } from './balances/trustText.ts'
export { balancesParameters, collectiblesParameters } from './balances/walletParameters.ts'
export { warningText } from './balances/warningText.ts'
export { chainChoices, toggleChain } from './chains/chainChoices.ts'
export { describeError, type Problem } from './connection/describeError.ts'
export { isOnline$ } from './connection/isOnline.ts'
export { loadConfig } from './connection/loadConfig.ts'
export { type Connection, openConnection } from './connection/openConnection.ts'
export type { Config } from './connection/readConfig.ts'
export { keepFocus } from './focus/keepFocus.ts'
export type { Formats } from './formats/createFormats.ts'
export { formatsOf } from './formats/formatsOf.ts'
export { locales } from './formats/locales.ts'
export { isAddress } from './links/isAddress.ts'
export type { Link, Screen } from './links/Link.ts'
export { focusScreen, hrefOf, isPlainClick, link$, openLink } from './links/navigation.ts'
export { parseChains } from './links/parseChains.ts'
export { titleOf } from './links/titleOf.ts'
export { collectibleImageUrl, logoUrl } from './media/imageUrls.ts'
export { type EndlessList, loadAtEnd } from './media/loadAtEnd.ts'
export { budgetOf, budgets } from './meter/budgets.ts'
export { connectionText } from './meter/connectionText.ts'
export { describeStreams, operationText } from './meter/describeStreams.ts'
export { intervals } from './meter/intervals.ts'
export { unitsInLastMinute } from './meter/unitsInLastMinute.ts'
export { collectibleKey, collectibleText, findCollectible } from './names/collectibleText.ts'
export {
  chainText,
  contractText,
  initialsOf,
  nameText,
  shownText,
  symbolText,
} from './names/tokenText.ts'
export { chartPoints, chartRanges } from './prices/chartPoints.ts'
export { chartText } from './prices/chartText.ts'
export type { PriceChart } from './prices/createPriceChart.ts'
export { chartHours, createPriceHistory } from './prices/createPriceHistory.ts'
export { describePricing, type Pricing, type PricingPool } from './prices/describePricing.ts'
export { mountPriceChart } from './prices/mountPriceChart.ts'
export { shareText } from './prices/shareText.ts'
export { spamText } from './prices/spamText.ts'
export { directionOf, sparkline, sparklineSize } from './prices/sparkline.ts'
export { observeTop, overscanOf, paddingOf } from './rows/virtualRows.ts'
export { withRecent } from './settings/readSettings.ts'
export { changeSettings, settings$ } from './settings/storedSettings.ts'
export { followTheme, isDark, otherTheme } from './settings/theme.ts'
