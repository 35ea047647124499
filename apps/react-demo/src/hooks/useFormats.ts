import { type Formats, formatsOf, settings$ } from '@headwater/demo-kit'
import { useValue } from './useValue.ts'

/** How numbers and times are written in the locale that the reader chose. */
export function useFormats(): Formats {
  return formatsOf(useValue(settings$).locale)
}
