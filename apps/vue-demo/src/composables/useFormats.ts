import { computed, type ComputedRef } from 'vue'
import { type Formats, formatsOf, settings$ } from '@headwater/demo-kit'
import { useValue } from './useValue.ts'

/** How numbers and times are written in the locale that the reader chose. */
export function useFormats(): ComputedRef<Formats> {
  const settings = useValue(settings$)
  return computed(() => formatsOf(settings.value.locale))
}
