import { formatsOf, settings$, type Formats } from '@headwater/demo-kit'
import { computed, type ComputedRef } from 'vue'

import { useValue } from './useValue.ts'

/** How numbers and times are written in the locale that the reader chose. */
export function useFormats(): ComputedRef<Formats> {
  const settings = useValue(settings$)
  return computed(() => formatsOf(settings.value.locale))
}
