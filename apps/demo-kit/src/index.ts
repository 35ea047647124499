export { describeError, type Problem } from './describeError.ts'
export { amountText, timeText, usdText } from './format.ts'
export { loadConfig, type Config } from './loadConfig.ts'
