import { type Formats, formatsOf, settings$ } from '@headwater/demo-kit'
import { useValue } from './useValue.ts'

/** The number and time formats of the chosen locale. */
export function useFormats(): Formats {
  return formatsOf(useValue(settings$).locale)
}
