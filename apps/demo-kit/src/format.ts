import { formatsOf } from './formats/formatsOf.ts'

/** Formats of the default locale, for pages that let nobody choose one. */
export const { amount: amountText, usd: usdText } = formatsOf('en-US')
